// A line of the last values, from 0 to the largest.

const SVG = 'http://www.w3.org/2000/svg';

// `most` values fill the width.
export function sparkline(values, most) {
  const top = Math.max(...values, 1e-9);
  const line = document.createElementNS(SVG, 'polyline');
  line.setAttribute('class', 'spark');
  line.setAttribute('points', values.map((one, at) => `${((300 * at) / (most - 1)).toFixed(1)},${(46 - (44 * one) / top).toFixed(1)}`).join(' '));
  const chart = document.createElementNS(SVG, 'svg');
  chart.setAttribute('viewBox', '0 0 300 48');
  chart.append(line);
  return chart;
}
