/**
 * Splits a database name into lower-case words of ASCII letters and digits: `OrderItems`, `order-items` → `order`,
 * `items`. Accents are dropped, and other letters become their code point, so that the result is the same in every run.
 */
export function wordsOf(name: string): readonly string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^ -~]/gu, (letter) => (/[\p{L}\p{N}]/u.test(letter) ? ` u${letter.codePointAt(0)!.toString(16)} ` : ' '))
  return plain
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** Joins words to a name such as `OrderItem`. A result that would begin with a digit gets an underscore in front. */
export function toPascalCase(words: readonly string[]): string {
  return withoutLeadingDigit(words.map(upperFirst).join(''))
}

/** Joins words to a name such as `orderItem`. */
export function toCamelCase(words: readonly string[]): string {
  return withoutLeadingDigit(words.map((word, i) => (i === 0 ? word : upperFirst(word))).join(''))
}

/** Joins words to a name such as `ORDER_ITEM`. */
export function toConstantCase(words: readonly string[]): string {
  return withoutLeadingDigit(words.join('_').toUpperCase())
}

/** Returns the name with its first letter in upper case. */
export function upperFirst(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function withoutLeadingDigit(name: string): string {
  return /^[0-9]/.test(name) ? `_${name}` : name
}
