const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i
/** Larger than any exponent, so that the sum with it is never negative. */
const OFFSET = 10_000_000

/**
 * Returns a text that sorts as the decimal does, with any number of digits. Equal decimals such as `1.10` and `1.1`
 * have the same text.
 * @throws Error when the text is not a decimal; SQLite reports it for the statement
 */
export function decimalKey(text: string): string {
  const match = DECIMAL.exec(text)
  const [, sign, whole = '', fraction = '', power = '0'] = match ?? []
  const all = whole + fraction
  if (match === null || all === '') {
    throw new Error(`invalid input syntax for type numeric: ${JSON.stringify(text.slice(0, 80))}`)
  }
  const leading = /^0*/.exec(all)![0].length
  const digits = all.slice(leading).replace(/0+$/, '')
  if (digits === '') return '1'
  const exponent = OFFSET + whole.length - leading + Number(power)
  if (sign !== '-') return `2${pad(exponent)}${digits}`
  const turned = digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
  // Of two negative numbers with a common prefix the longer one is less, so that the shorter key has to sort last.
  return `0${pad(2 * OFFSET - exponent)}${turned}~`
}

function pad(exponent: number): string {
  return String(exponent).padStart(8, '0')
}
