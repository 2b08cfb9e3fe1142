/** The beginning of a text that is longer than anybody reads, and `…`; it ends in no half of a character. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)}…`
}
