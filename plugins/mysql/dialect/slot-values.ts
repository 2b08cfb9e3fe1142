import type { SqlFragment } from '../../../core/doors/driver.ts'
import { type Parameter, parameter, SvcError } from '../../../core/doors/plugin.ts'
import type { Kind } from './kind.ts'

/** Limit of DECIMAL(65,30), in which decimals are compared. */
const MOST_WHOLE_DIGITS = 35
const MOST_FRACTION_DIGITS = 30

/**
 * Returns a parameter whose values are converted in this process before they are sent.
 * @param slot a fragment that consists of one parameter
 */
export function convertSlot(slot: SqlFragment, convert: (value: Parameter) => Parameter): SqlFragment {
  const [part, ...others] = slot.parts
  if (part === undefined || typeof part === 'string' || others.length > 0) throw new Error('Not one parameter')
  return parameter({ read: (input) => convert(part.read(input)) })
}

/** Converts the text of an operand to the text that the server compares with values of the kind. */
export function operandText(kind: Kind, text: string): string {
  switch (kind) {
    case 'boolean':
      return text === 'true' ? '1' : '0'
    case 'datetime':
      return momentText(text)
    case 'date':
      return momentText(text).slice(0, 10)
    case 'decimal':
      return decimalText(text)
    case 'uuid':
      return text.toLowerCase()
    default:
      return text
  }
}

/** Converts the operands in a parameter: a text, or a list of them. */
export function operandValue(kind: Kind): (value: Parameter) => Parameter {
  const one = (text: string | null): string | null => (text === null ? null : operandText(kind, text))
  return (value) => (Array.isArray(value) ? value.map(one) : one(value as string | null))
}

/** Doubles a list of UUIDs: in lower and in upper case, because a CHAR column may have either. */
export function bothCases(value: Parameter): Parameter {
  if (!Array.isArray(value)) return value
  return value.flatMap((item: string | null) => (item === null ? [null] : [item.toLowerCase(), item.toUpperCase()]))
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/i

/** Converts a point in time to UTC, in the form of a DATETIME(6). @throws SvcError BAD_USER_INPUT */
export function momentText(text: string): string {
  if (text === 'infinity') return '9999-12-31 23:59:59.999999'
  if (text === '-infinity') return '0001-01-01 00:00:00.000000'
  const [, day = '', minutes = '00:00', seconds = '00', fraction = '', , sign, hours = '0', rest = '0'] =
    MOMENT.exec(text) ?? []
  const start = Date.parse(`${day}T${minutes}:${seconds}Z`)
  if (day < '0001' || Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) throw outside()
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest)) * 60_000
  // Nanoseconds are rounded to microseconds.
  const micros = Math.round(Number(`0.${fraction || '0'}`) * 1e6)
  const moment = new Date(start - offset + Math.floor(micros / 1e6) * 1000).toISOString()
  if (!/^(?!0000)\d{4}-/.test(moment)) throw outside()
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}.${String(micros % 1e6).padStart(6, '0')}`
}

function outside(): SvcError {
  return new SvcError('BAD_USER_INPUT', 'MariaDB and MySQL compare days and times of the years 1 to 9999.')
}

const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

function decimalText(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  const shift = Number(exponent)
  const digits = `${whole}${fraction}`
  const first = digits.search(/[1-9]/)
  if (first < 0) return '0'
  const point = whole.length + shift
  const last = digits.replace(/0+$/, '').length
  if (point - first > MOST_WHOLE_DIGITS || last - point > MOST_FRACTION_DIGITS) {
    throw new SvcError(
      'BAD_USER_INPUT',
      `MariaDB and MySQL compare decimals with at most ${MOST_WHOLE_DIGITS} digits before the point and ${MOST_FRACTION_DIGITS} behind it.`,
    )
  }
  return text
}

const INTEGER = /^[+-]?\d{1,65}$/
const REAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const DAY = /^\d{4}-\d\d-\d\d$/
const CLOCK = /^-?\d{2,3}:\d\d:\d\d(?:\.\d{1,6})?$/

/** Tests a value of a cursor, which a client may have changed. */
function isCursorText(kind: Kind, text: string): boolean {
  switch (kind) {
    case 'integer':
      return INTEGER.test(text)
    case 'real':
    case 'decimal':
      return REAL.test(text)
    case 'boolean':
      return text === '0' || text === '1'
    case 'datetime':
      return MOMENT.test(text)
    case 'date':
      return DAY.test(text)
    case 'time':
      return CLOCK.test(text)
    default:
      return true
  }
}

/** Returns the parameter of a value in a cursor. A value that is none of the kind is an error of the client. */
export function cursorValue(kind: Kind, slot: SqlFragment): SqlFragment {
  return convertSlot(slot, (value) => {
    if (typeof value !== 'string' || isCursorText(kind, value)) return value
    throw new SvcError('BAD_USER_INPUT', 'This is no cursor of this list. Start again from the first page.')
  })
}
