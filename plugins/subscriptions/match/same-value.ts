import type { ArgumentModel } from '../../../core/doors/front.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const DECIMAL = /^-?\d+(\.\d+)?$/
const NUMBERS: ReadonlySet<string> = new Set(['Int', 'Float', 'Decimal', 'BigInt'])

/** Is what the client gave what is stored? */
export function isSameValue({ named }: Pick<ArgumentModel, 'named'>, given: unknown, stored: unknown): boolean {
  if (named.kind === 'enum') {
    return named.values.some((one) => one.name === given && (one.value === stored || one.name === stored))
  }
  if (typeof given === 'boolean' || typeof stored === 'boolean') return given === stored
  const base = named.kind === 'scalar' ? named.base : named.name
  if (NUMBERS.has(base)) return isSameNumber(given, stored)
  const left = String(given)
  const right = String(stored)
  if (left === right) return true
  if (UUID.test(left)) return left.toLowerCase() === right.toLowerCase()
  if (base !== 'DateTime') return false
  const at = Date.parse(left)
  return !Number.isNaN(at) && at === Date.parse(right)
}

function isSameNumber(given: unknown, stored: unknown): boolean {
  const left = String(given)
  const right = String(stored)
  if (DECIMAL.test(left) && DECIMAL.test(right)) return plain(left) === plain(right)
  return left !== '' && right !== '' && Number(left) === Number(right)
}

/** Without zeros that say nothing: `-07.50` is `-7.5`. */
function plain(text: string): string {
  const short = text.replace(/^(-?)0+(?=\d)/, '$1')
  const whole = short.includes('.') ? short.replace(/\.?0+$/, '') : short
  return whole === '-0' ? '0' : whole
}
