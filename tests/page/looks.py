"""What can be computed about how the page looks and reads: names of elements, and contrast of colors."""
import re

# Each finding is a text; a page without findings is in order.
AUDIT = """() => {
  const found = [];
  const seen = (element) => element.checkVisibility();
  const complain = (text, element) => found.push(`${text}: ${element.outerHTML.slice(0, 120)}`);
  const labelOf = (one) => one.ariaLabel || (one.labels?.[0]?.innerText) || one.innerText?.trim() ||
    (one.getAttribute('aria-labelledby') && document.getElementById(one.getAttribute('aria-labelledby'))?.innerText);
  if (document.querySelectorAll('h1').length !== 1) found.push('there is not exactly one h1');
  if (document.querySelectorAll('main, [role=main]').length !== 1) found.push('there is not exactly one main');
  for (const one of document.querySelectorAll('a, button, input, select, summary, [tabindex="0"]')) if (seen(one) && !labelOf(one)) complain('no name', one);
  for (const one of document.querySelectorAll('table')) if (!one.caption?.textContent) complain('no caption', one);
  for (const one of document.querySelectorAll('th')) if (!one.scope) complain('no scope', one);
  for (const one of document.querySelectorAll('section, nav')) if (!one.ariaLabel) complain('no label', one);
  let level = 0;
  for (const one of document.querySelectorAll('h1, h2, h3')) {
    if (Number(one.tagName[1]) > level + 1) complain('a level of headings is left out', one);
    level = Number(one.tagName[1]);
  }
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  if (new Set(ids).size !== ids.length) found.push('an id occurs twice');
  return found;
}"""


def audit(page):
    return page.evaluate(AUDIT)


def luminance(color):
    """The relative luminance of #rgb or #rrggbb, as the Web Content Accessibility Guidelines 2.2 define it."""
    digits = color.lstrip("#")
    digits = "".join(2 * one for one in digits) if len(digits) == 3 else digits
    parts = [int(digits[at:at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def luminances(css):
    """For each variable of the style sheet that is light-dark(#..., #...): both luminances."""
    found = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)", css)
    return {name: (luminance(light), luminance(dark)) for name, light, dark in found}


def contrast_of(one, other):
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)
