// The note lists what the classes implement, and the library offers what the note lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "every_point.h"

namespace berth::sdk::testing {
namespace {

struct Small {
  static constexpr Info kInfo{.name = "small \"quoted\"", .vendor = "v", .flags = BERTH_F_SERIAL_ONLY};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_CYCLE, BERTH_SERVICE_WAITING};
  Status PreFilter(Cycle&, const Pod&) { return Status::Ok(); }
  Status Permit(Cycle&, const Pod&, Id, std::chrono::nanoseconds&) { return Status::Ok(); }
};
struct Watcher {  // implements no extension point of Kubernetes
  static constexpr Info kInfo{.name = "watcher"};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_PODS, BERTH_SERVICE_OBJECTS};
  void Deltas(List<berth_delta>) {}
  static void CompleteArgs(ArgsReader&, JsonWriter&) {}
};

template <class... P>
std::string NoteText() {
  static constexpr auto note = detail::MakeNote<P...>();
  EXPECT_EQ(note.namesz, 6u);
  EXPECT_STREQ(note.name, "BERTH");
  EXPECT_EQ(note.type, BERTH_NOTE_TYPE);
  EXPECT_EQ(note.descsz, std::strlen(note.desc) + 1);
  EXPECT_EQ(sizeof(note) % 4, 0u);
  return note.desc;
}

TEST(NoteTest, OfSeveralPlugins) {
  EXPECT_EQ((NoteText<Small, Watcher>()), R"({"abi":[1,2],"minHost":0,"sdk":"cpp/1.2","version":"0.0.0",)"
                                          R"("draft":["pods/1"],"plugins":[)"
                                          R"({"name":"small \"quoted\"","points":["preFilter","permit"],"args":false,)"
                                          R"("needs":["berth.host.cycle/1","berth.host.waiting/1"]},)"
                                          R"({"name":"watcher","points":[],"args":true,"needs":[]}]})");
}

struct Shaped {
  static constexpr Info kInfo{.name = "shaped"};
  static constexpr std::string_view kSampleArgs = R"({"shape":[{"score":1}]})";
  int64_t Score(Cycle&, const Pod&, Node) { return 0; }
};

TEST(NoteTest, WithSampleArgs) {
  EXPECT_EQ((NoteText<Shaped, Watcher>()),
            R"({"abi":[1,2],"minHost":0,"sdk":"cpp/1.2","version":"0.0.0","draft":["pods/1"],"plugins":[)"
            R"({"name":"shaped","points":["score"],"args":false,"needs":[],"sampleArgs":{"shape":[{"score":1}]}},)"
            R"({"name":"watcher","points":[],"args":true,"needs":[]}]})");
}

TEST(NoteTest, OfEveryPoint) {
  EXPECT_EQ(NoteText<EveryPoint>(),
            R"({"abi":[1,2],"minHost":0,"sdk":"cpp/1.2","version":"0.0.0",)"
            R"("draft":[],)"
            R"("plugins":[{"name":"everyPoint","points":["preEnqueue","queueSort","preFilter","filter","postFilter",)"
            R"("preScore","score","reserve","permit","preBind","bind","postBind"],"args":true,"needs":[]}]})");
}

struct Prepares {
  static constexpr Info kInfo{.name = "prepares"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_TRIAL};
  explicit Prepares(Host&) {}
  Prepares(Host&, Prepares&) {}
};

TEST(NoteTest, NamesDraftPointsAndDraftServicesOnce) {
  EXPECT_THAT((NoteText<Prepares, Watcher>()),
              ::testing::HasSubstr(R"("draft":["succession/1","pods/1"],"plugins":[)"));
}

// Every table of the ABI, by id.
const std::vector<std::string> kIds = {BERTH_POINT_PRE_ENQUEUE, BERTH_POINT_QUEUE_SORT,  BERTH_POINT_PRE_FILTER,
                                       BERTH_POINT_FILTER,      BERTH_POINT_POST_FILTER, BERTH_POINT_PRE_SCORE,
                                       BERTH_POINT_SCORE,       BERTH_POINT_RESERVE,     BERTH_POINT_PERMIT,
                                       BERTH_POINT_PRE_BIND,    BERTH_POINT_BIND,        BERTH_POINT_POST_BIND,
                                       BERTH_POINT_EVENTS,      BERTH_POINT_DELTAS,      BERTH_POINT_POD_CHANGE};

template <class P>
std::vector<std::string> Offered() {
  PluginUnderTest plugin = TestPlugin<P>();
  EXPECT_TRUE(plugin.Init().ok());
  std::vector<std::string> offered;
  for (const std::string& id : kIds) {
    if (plugin.Offers(id.c_str())) offered.push_back(id);
  }
  return offered;
}

TEST(NoteTest, ExtensionsAreThoseTheNoteNames) {
  EveryPoint::doing() = nullptr;
  EXPECT_EQ(Offered<EveryPoint>(), kIds);
  EXPECT_THAT(Offered<Small>(), ::testing::ElementsAre(BERTH_POINT_PRE_FILTER, BERTH_POINT_PERMIT));
  EXPECT_THAT(Offered<Watcher>(), ::testing::ElementsAre(BERTH_POINT_DELTAS));
}

TEST(LibraryTest, CountDescribeCreateAndExtension) {
  const berth_entry* entry = detail::Library<Small, Watcher>::Entry(BERTH_ABI_MINOR);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->size, sizeof(berth_entry));
  ASSERT_EQ(entry->count(), 2u);
  EXPECT_STREQ(entry->describe(0)->name, "small \"quoted\"");
  EXPECT_EQ(entry->describe(0)->flags, BERTH_F_SERIAL_ONLY);
  EXPECT_STREQ(entry->describe(0)->vendor, "v");
  EXPECT_STREQ(entry->describe(1)->version, "0.0.0");
  EXPECT_EQ(entry->describe(2), nullptr);
  FakeHost host;
  for (const char* name : {"", "watcher2", "watche", "Watcher"}) EXPECT_EQ(entry->create(name, host.raw()), nullptr);
  EXPECT_EQ(entry->extension("small \"quoted\"", BERTH_LIBRARY_ARGS), nullptr);
  EXPECT_NE(entry->extension("watcher", BERTH_LIBRARY_ARGS), nullptr);
  EXPECT_EQ(entry->extension("watcher", "berth.library.args/2"), nullptr);
  EXPECT_EQ(entry->extension("nobody", BERTH_LIBRARY_ARGS), nullptr);
}

}  // namespace
}  // namespace berth::sdk::testing
