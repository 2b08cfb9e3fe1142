import { decimalKey } from './decimal-key.ts'

const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i
/** Minimum number of significant digits of an average, as in PostgreSQL. */
const SIGNIFICANT = 16
/** Limit on the number of digits. Longer texts are not plausible as stored numbers. */
const MOST_DIGITS = 100_000

/** A decimal: `digits` × 10^-`scale`. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/**
 * Computes the exact sum, average, minimum or maximum of decimals, which SQLite itself would round.
 * @param kind `sum`, `avg`, `min` or `max`
 * @param json JSON list of texts; nulls, and texts that are no decimals, are skipped
 * @returns `null`: the list has no values
 * @throws Error when a decimal has too many digits; SQLite reports it for the statement
 */
export function exactly(kind: string, json: string): string | null {
  const texts = (JSON.parse(json) as (string | null)[]).filter((text) => text !== null && isDecimal(text)) as string[]
  if (texts.length === 0) return null
  if (kind === 'min' || kind === 'max') return extreme(texts, kind === 'min')
  const numbers = texts.map(readDecimal)
  const scale = numbers.reduce((most, number) => Math.max(most, number.scale), 0)
  const sum = numbers.reduce((all, number) => all + number.digits * 10n ** BigInt(scale - number.scale), 0n)
  return kind === 'sum' ? writeDecimal({ digits: sum, scale }) : average(sum, scale, texts.length)
}

function isDecimal(text: string): boolean {
  const [, , whole = '', fraction = ''] = NUMBER.exec(text) ?? []
  return whole + fraction !== ''
}

function extreme(texts: readonly string[], least: boolean): string {
  let found = texts[0]!
  let key = decimalKey(found)
  for (const text of texts) {
    const own = decimalKey(text)
    if (least ? own < key : own > key) [found, key] = [text, own]
  }
  return found
}

function average(sum: bigint, scale: number, count: number): string {
  // Leading zeros after the decimal point are not significant.
  const whole = String(sum < 0n ? -sum : sum).length - scale - String(count).length
  const places = Math.max(scale, SIGNIFICANT - Math.min(whole, 0), 0)
  const raised = sum * 10n ** BigInt(places - scale)
  const divisor = BigInt(count)
  const half = raised < 0n ? -divisor : divisor
  const text = writeDecimal({ digits: (2n * raised + half) / (2n * divisor), scale: places })
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function readDecimal(text: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? []
  const scale = fraction.length - Number(power)
  if (Math.abs(scale) > MOST_DIGITS) {
    throw new Error(`invalid input syntax for type numeric: ${JSON.stringify(text.slice(0, 80))}`)
  }
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function writeDecimal({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits)
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`
}
