#include "client/requests/watch_event.h"

#include <gtest/gtest.h>

namespace berth::requests {
namespace {

TEST(WatchEvent, IsSplitWithoutParsing) {
  const std::string line = R"({"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a"}}})"
                           "\r\n";
  const auto event = WatchEvent::Split(line);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type(), "ADDED");
  EXPECT_EQ(event->object(), R"({"kind":"Pod","metadata":{"name":"a"}})");
}

TEST(WatchEvent, WithAnotherLayoutIsParsed) {
  const auto event = WatchEvent::Split(R"( { "object" : {"a" : 1}, "type" : "DELETED" } )");
  ASSERT_TRUE(event) << event.error().message;
  EXPECT_EQ(event->type(), "DELETED");
  EXPECT_EQ(event->object(), R"({"a":1})");
}

TEST(WatchEvent, ATypeWithEscapesIsParsed) {
  const auto event = WatchEvent::Split(R"({"type":"\u0041DDED","object":{}})");
  ASSERT_TRUE(event) << event.error().message;
  EXPECT_EQ(event->type(), "ADDED");
}

TEST(WatchEvent, ReportsInvalidLines) {
  EXPECT_FALSE(WatchEvent::Split(""));
  EXPECT_FALSE(WatchEvent::Split("<html>"));
  EXPECT_FALSE(WatchEvent::Split(R"({"type":"ADDED"})"));
  EXPECT_FALSE(WatchEvent::Split(R"({"type":"","object":{}})"));
  EXPECT_FALSE(WatchEvent::Split(R"({"type":7,"object":{}})"));
  EXPECT_FALSE(WatchEvent::Split(R"({"type":"ADDED","object":[]})"));
  EXPECT_FALSE(WatchEvent::Split(R"({"type":"ADDED","object":"a","more":{}})"));
}

TEST(Bookmark, HasVersionAndTheEndOfTheInitialEvents) {
  const Bookmark plain = BookmarkOf(R"({"kind":"Pod","metadata":{"resourceVersion":"12","creationTimestamp":null}})");
  EXPECT_EQ(plain.resource_version, "12");
  EXPECT_FALSE(plain.initial_events_end);
  const Bookmark end =
      BookmarkOf(R"({"metadata":{"resourceVersion":"13","annotations":{"k8s.io/initial-events-end":"true"}}})");
  EXPECT_EQ(end.resource_version, "13");
  EXPECT_TRUE(end.initial_events_end);
}

}  // namespace
}  // namespace berth::requests
