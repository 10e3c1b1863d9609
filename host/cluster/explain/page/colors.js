// Colors that readers with any kind of color vision can tell apart.

// Categories: the palette of M. Okabe and K. Ito, "Color Universal Design" (2008). The first is for nodes that passed.
export const PASSED = '#0072b2';
export const REJECTED = ['#e69f00', '#d55e00', '#cc79a7', '#56b4e9', '#009e73', '#f0e442'];

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
export const neutral = () => isDark() ? '#4a5563' : '#c3cad3';

// A color of the Oklab space (B. Ottosson, 2020), given as lightness, chroma, and hue in degrees, as #rrggbb.
function fromOklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return '#' + [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(channel).join('');
}

function channel(linear) {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value))).toString(16).padStart(2, '0');
}

// `steps` colors from low to high. Lightness alone orders them: they go away from the background of the page.
export function ramp(steps) {
  const pale = {l: 0.93, c: 0.09, h: 105};
  const deep = {l: 0.36, c: 0.12, h: 270};
  const [low, high] = isDark() ? [deep, pale] : [pale, deep];
  const between = (from, to, at) => from + (to - from) * at;
  return Array.from({length: steps}, (_, step) => {
    const at = steps === 1 ? 0.6 : step / (steps - 1);
    return fromOklch(between(low.l, high.l, at), between(low.c, high.c, at), between(low.h, high.h, at));
  });
}
