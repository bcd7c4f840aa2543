// Every text that is seen, with the contrast to what lies behind it (WCAG 2.2, 1.4.3):
// how many there are, and those below the ratio that their size asks for.
() => {
  const read = (colour) => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    return parts.length < 4 ? [...parts, 1] : parts;
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = read(getComputedStyle(each).backgroundColor);
      if (colour[3] === 1) return colour;
      if (colour[3] !== 0) throw new Error(`half seen through: ${each.outerHTML.slice(0, 80)}`);
    }
    return [255, 255, 255, 1];
  };
  const low = [];
  let seen = 0;
  const judge = (element, text) => {
    if (!text.trim() || element.disabled || !element.checkVisibility({ visibilityProperty: true })) return;
    const style = getComputedStyle(element);
    const [dark, bright] = [light(read(style.color)), light(behind(element))].sort((a, b) => a - b);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (bright + 0.05) / (dark + 0.05);
    seen += 1;
    if (ratio < (large ? 3 : 4.5)) low.push(`${ratio.toFixed(2)} ${text.trim().slice(0, 40)}`);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!["SCRIPT", "STYLE", "TITLE"].includes(element.tagName)) judge(element, texts.currentNode.textContent);
  }
  for (const field of document.querySelectorAll("input[type=number]")) judge(field, field.value);
  return [seen, low];
}
