// Colors that readers with any kind of color vision can tell apart.

// Categories: from the palette of M. Okabe and K. Ito, "Color Universal Design" (2008).
export const PASSED = '#0072b2';
export const REJECTED = ['#e69f00', '#d55e00', '#cc79a7', '#56b4e9', '#009e73', '#f0e442'];

// From pale to deep: lightness alone orders them.
const RAMP = ['#f0e9a5', '#c7df99', '#9bcf97', '#6fbd96', '#41ab97', '#00969a', '#00819b', '#006898', '#104e8c', '#292f79'];

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
export const neutral = () => isDark() ? '#4a5563' : '#c3cad3';

// 1 to 10 colors from low to high, away from the background of the page.
export function ramp(steps) {
  const colors = Array.from({length: steps}, (_, step) => RAMP[steps === 1 ? 6 : Math.round((step * 9) / (steps - 1))]);
  return isDark() ? colors.reverse() : colors;
}
