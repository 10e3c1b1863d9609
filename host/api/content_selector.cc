// MakeSelector, MakePodAffinity, MakeSpread. Selectors come first, because the key of a block contains their numbers.
#include "api/content.h"

namespace berth::api {
namespace {

void AddTexts(ContentKey& key, const std::vector<std::string_view>& texts, Range range) {
  key.Number32(range.size());
  for (uint32_t i = range.begin; i < range.end; ++i) key.Text(texts[i]);
}

berth_list IdList(BlockWriter& writer, const std::vector<std::string_view>& texts, Range range) {
  std::vector<berth_id> ids;
  ids.reserve(range.size());
  for (uint32_t i = range.begin; i < range.end; ++i) ids.push_back(writer.Text(texts[i]));
  return writer.List(ids, false);
}

void FillSelector(BlockWriter& writer, const SelectorPool& pool, const SelectorDraft& draft, berth_selector& abi) {
  abi.has = draft.set ? BERTH_SELECTOR_SET : 0;
  std::vector<berth_kv> labels;
  labels.reserve(draft.labels.size());
  for (uint32_t i = draft.labels.begin; i < draft.labels.end; ++i) {
    labels.push_back({writer.Text(pool.labels[i].key), writer.Text(pool.labels[i].value)});
  }
  abi.labels = writer.List(labels, false);
  std::vector<berth_label_requirement> expressions;
  expressions.reserve(draft.expressions.size());
  for (uint32_t i = draft.expressions.begin; i < draft.expressions.end; ++i) {
    const RequirementDraft& one = pool.requirements[i];
    expressions.push_back({writer.Text(one.key), writer.Text(one.op), IdList(writer, pool.texts, one.values)});
  }
  abi.expressions = writer.List(expressions, false);
}

// Calls visit(term) for the terms of all four lists, in the order of the ABI.
template <class Visit>
void ForEachTerm(const PodAffinityDraft& draft, Visit&& visit) {
  for (const auto* list : {&draft.required, &draft.preferred, &draft.anti_required, &draft.anti_preferred}) {
    for (const PodTermDraft& term : *list) visit(term);
  }
}

berth_list TermList(BlockWriter& writer, const SelectorPool& pool, const std::vector<PodTermDraft>& terms,
                    const SelectorRef*& selector) {
  std::vector<berth_pod_term> list;
  list.reserve(terms.size());
  for (const PodTermDraft& term : terms) {
    list.push_back({writer.Text(term.topology_key), term.weight, &selector[0]->abi, &selector[1]->abi,
                    IdList(writer, pool.texts, term.namespaces)});
    selector += 2;
  }
  return writer.List(list, false);
}

}  // namespace

SelectorRef MakeSelector(InternTables& intern, const SelectorPool& pool, const SelectorDraft& draft) {
  ContentKey key;
  key.Number32(draft.set).Number32(draft.labels.size());
  for (uint32_t i = draft.labels.begin; i < draft.labels.end; ++i) {
    key.Text(pool.labels[i].key).Text(pool.labels[i].value);
  }
  for (uint32_t i = draft.expressions.begin; i < draft.expressions.end; ++i) {
    const RequirementDraft& one = pool.requirements[i];
    key.Text(one.key).Text(one.op);
    AddTexts(key, pool.texts, one.values);
  }
  return ShareBlock<SelectorBlock>(intern, 'S', key, [&](BlockWriter& writer, SelectorBlock& block) {
    FillSelector(writer, pool, draft, block.abi);
    block.Compile(intern);
  });
}

Ref<const PodAffinityBlock> MakePodAffinity(InternTables& intern, const SelectorPool& pool,
                                            const PodAffinityDraft& draft) {
  std::vector<SelectorRef> selectors;  // of each term two
  ForEachTerm(draft, [&](const PodTermDraft& term) {
    selectors.push_back(MakeSelector(intern, pool, term.selector));
    selectors.push_back(MakeSelector(intern, pool, term.namespace_selector));
  });
  ContentKey key;
  key.Number(draft.has);
  for (const auto* list : {&draft.required, &draft.preferred, &draft.anti_required, &draft.anti_preferred}) {
    key.Number32(static_cast<uint32_t>(list->size()));
  }
  const SelectorRef* selector = selectors.data();
  ForEachTerm(draft, [&](const PodTermDraft& term) {
    key.Text(term.topology_key).Number32(static_cast<uint32_t>(term.weight));
    key.Number32(selector[0]->abi.content).Number32(selector[1]->abi.content);
    selector += 2;
    AddTexts(key, pool.texts, term.namespaces);
  });
  return ShareBlock<PodAffinityBlock>(intern, 'F', key, [&](BlockWriter& writer, PodAffinityBlock& block) {
    block.selectors = std::move(selectors);
    const SelectorRef* next = block.selectors.data();
    block.abi.has = draft.has;
    block.abi.required = TermList(writer, pool, draft.required, next);
    block.abi.preferred = TermList(writer, pool, draft.preferred, next);
    block.abi.anti_required = TermList(writer, pool, draft.anti_required, next);
    block.abi.anti_preferred = TermList(writer, pool, draft.anti_preferred, next);
  });
}

Ref<const SpreadBlock> MakeSpread(InternTables& intern, const SelectorPool& pool,
                                  const std::vector<SpreadDraft>& spread) {
  std::vector<SelectorRef> selectors;
  selectors.reserve(spread.size());
  for (const SpreadDraft& one : spread) selectors.push_back(MakeSelector(intern, pool, one.selector));
  ContentKey key;
  for (size_t i = 0; i < spread.size(); ++i) {
    const SpreadDraft& one = spread[i];
    key.Number32(static_cast<uint32_t>(one.max_skew)).Number32(static_cast<uint32_t>(one.min_domains));
    key.Number32(one.has_min_domains ? 1 : 0).Text(one.topology_key).Text(one.when_unsatisfiable);
    key.OptionalText(one.node_affinity_policy).OptionalText(one.node_taints_policy);
    key.Number32(selectors[i]->abi.content);
    AddTexts(key, pool.texts, one.match_label_keys);
  }
  return ShareBlock<SpreadBlock>(intern, 'D', key, [&](BlockWriter& writer, SpreadBlock& block) {
    block.selectors = std::move(selectors);
    std::vector<berth_spread_constraint> items;
    items.reserve(spread.size());
    for (size_t i = 0; i < spread.size(); ++i) {
      const SpreadDraft& one = spread[i];
      items.push_back({one.max_skew, one.min_domains, writer.Text(one.topology_key),
                       writer.Text(one.when_unsatisfiable), writer.OptionalText(one.node_affinity_policy),
                       writer.OptionalText(one.node_taints_policy), &block.selectors[i]->abi,
                       IdList(writer, pool.texts, one.match_label_keys)});
    }
    block.abi.items = writer.List(items, false);
    for (const SpreadDraft& one : spread) block.has_min_domains.push_back(one.has_min_domains);
  });
}

}  // namespace berth::api
