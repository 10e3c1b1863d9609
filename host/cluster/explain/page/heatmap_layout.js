// Where the cells of a heat map are. Groups are blocks of the same width, several in a row; cells fill a block line by line.

const PITCHES = [44, 36, 30, 26, 22, 18, 15, 13, 11, 10, 9, 8, 7, 6, 5];  // from one cell to the next, in CSS pixels
const LEAST_BLOCK = 132;
const GAP = 14;
const LABEL = 22;

// groups: [{label, nodes}]. The cells are as large as `height` allows; with the smallest cells the map may become higher.
export function layOut(groups, width, height, hasLabels) {
  const label = hasLabels ? LABEL : 0;
  let made = null;
  for (const pitch of PITCHES) {
    made = withPitch(groups, width, pitch, label);
    if (made.height <= height) break;
  }
  return made;
}

function withPitch(groups, width, pitch, label) {
  const most = Math.max(1, Math.min(groups.length, Math.floor((width + GAP) / (LEAST_BLOCK + GAP))));
  let best = null;
  for (let inRow = 1; inRow <= most; ++inRow) {
    const made = withRows(groups, width, pitch, label, inRow);
    if (!best || made.height < best.height) best = made;
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
  return {blocks, pitch, cell, label, width, height: Math.max(0, top - GAP)};
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
  for (let block = 0; block < layout.blocks.length; ++block) {
    const at = layout.blocks[block].group.nodes.indexOf(node);
    if (at >= 0) return {block, at};
  }
  return null;
}

// The place that a key leads to, or null if the key has no meaning here.
export function moved(layout, place, key) {
  const size = layout.blocks[place.block].group.nodes.length;
  switch (key) {
    case 'ArrowLeft': return place.at > 0 ? {...place, at: place.at - 1} : edge(layout, place.block - 1, true) ?? place;
    case 'ArrowRight': return place.at < size - 1 ? {...place, at: place.at + 1} : edge(layout, place.block + 1, false) ?? place;
    case 'ArrowUp': return vertically(layout, place, -1);
    case 'ArrowDown': return vertically(layout, place, 1);
    case 'Home': return {...place, at: 0};
    case 'End': return {...place, at: size - 1};
    case 'PageUp': return edge(layout, place.block - 1, false) ?? {...place, at: 0};
    case 'PageDown': return edge(layout, place.block + 1, false) ?? {...place, at: size - 1};
    default: return null;
  }
}

function edge(layout, block, isLast) {
  const one = layout.blocks[block];
  return one ? {block, at: isLast ? one.group.nodes.length - 1 : 0} : null;
}

// One line up or down; at the edge of a block the nearest cell of the next block in that direction.
function vertically(layout, place, step) {
  const {columns, group} = layout.blocks[place.block];
  const at = place.at + step * columns;
  if (at >= 0 && at < group.nodes.length) return {...place, at};
  const from = cornerOf(layout, place);
  let best = null;
  layout.blocks.forEach((one, block) => {
    const lines = Math.ceil(one.group.nodes.length / one.columns);
    const line = step > 0 ? 0 : lines - 1;
    const away = (one.y + line * layout.pitch - from.y) * step;
    if (block === place.block || away <= 0) return;
    const column = Math.max(0, Math.min(one.columns - 1, Math.round((from.x - one.x) / layout.pitch)));
    const found = {block, at: Math.min(one.group.nodes.length - 1, line * one.columns + column)};
    const distance = away + Math.abs(cornerOf(layout, found).x - from.x);
    if (!best || distance < best.distance) best = {found, distance};
  });
  return best ? best.found : place;
}
