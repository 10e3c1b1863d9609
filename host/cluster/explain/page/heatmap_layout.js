// Where the cells of a heat map are. Groups are blocks of the same width, several in a row; cells fill a block line by line.

const PITCHES = [44, 36, 30, 26, 22, 18, 15, 13, 11, 10, 9, 8, 7, 6, 5];  // from one cell to the next, in CSS pixels
const LEAST_BLOCK = 132;
const GAP = 14;
const LABEL = 22;

// groups: [{label, nodes}]. The cells are as large as `height` allows; with the smallest cells the map may become higher.
export function layOut(groups, width, height, hasLabels) {
  const most = Math.max(1, Math.min(groups.length, Math.floor((width + GAP) / (LEAST_BLOCK + GAP))));
  let best = null;
  for (const pitch of PITCHES) {
    best = null;
    for (let inRow = 1; inRow <= most; ++inRow) {
      const made = withRows(groups, width, pitch, hasLabels ? LABEL : 0, inRow);
      if (!best || made.height < best.height) best = made;
    }
    if (best.height <= height) break;
  }
  return best;
}

function withRows(groups, width, pitch, label, inRow) {
  const blockWidth = Math.floor((width - GAP * (inRow - 1)) / inRow);
  const columns = Math.max(1, Math.floor(blockWidth / pitch));
  const blocks = [];
  let top = 0;
  for (let from = 0; from < groups.length; from += inRow) {
    let lines = 0;
    groups.slice(from, from + inRow).forEach((group, at) => {
      blocks.push({group, columns, x: at * (blockWidth + GAP), y: top + label, width: blockWidth});
      lines = Math.max(lines, Math.ceil(group.nodes.length / columns));
    });
    top += label + lines * pitch + GAP;
  }
  const cell = pitch - (pitch >= 18 ? 3 : pitch >= 9 ? 2 : 1);
  return {blocks, pitch, cell, width, height: Math.max(0, top - GAP)};
}

// A place is {block, at}: the index of a block, and of a node in it.
export function cornerOf(layout, {block, at}) {
  const {x, y, columns} = layout.blocks[block];
  return {x: x + (at % columns) * layout.pitch, y: y + Math.floor(at / columns) * layout.pitch};
}

export function placeAt(layout, x, y) {
  for (let block = 0; block < layout.blocks.length; ++block) {
    const one = layout.blocks[block];
    const column = Math.floor((x - one.x) / layout.pitch);
    const line = Math.floor((y - one.y) / layout.pitch);
    const at = line * one.columns + column;
    if (column >= 0 && column < one.columns && line >= 0 && at < one.group.nodes.length) return {block, at};
  }
  return null;
}

export function placeOf(layout, node) {
  const block = layout.blocks.findIndex((one) => one.group.nodes.includes(node));
  return block < 0 ? null : {block, at: layout.blocks[block].group.nodes.indexOf(node)};
}

// The place that a key leads to, or null if the key has no meaning here. Beyond the edge of a block is the next one.
export function moved(layout, place, key) {
  const {group, columns} = layout.blocks[place.block];
  const last = group.nodes.length - 1;
  const to = {ArrowLeft: place.at - 1, ArrowRight: place.at + 1, ArrowUp: place.at - columns, ArrowDown: place.at + columns,
    Home: 0, End: last, PageUp: -1, PageDown: last + 1}[key];
  if (to === undefined) return null;
  if (to >= 0 && to <= last) return {...place, at: to};
  const next = layout.blocks[place.block + (to < 0 ? -1 : 1)];
  if (!next) return key.startsWith('Page') ? {...place, at: to < 0 ? 0 : last} : place;
  return to < 0 ? {block: place.block - 1, at: key === 'PageUp' ? 0 : next.group.nodes.length - 1} : {block: place.block + 1, at: 0};
}
