import type { EnumType, ScalarType } from '../../../core/doors/driver.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import { type Parsed, parseExactly, writeParsed } from '../json-text.ts'
import { plainText, type Stored } from './rows.ts'

/** JSON text of a scalar, an enum, or a list of them, as the docs say that it goes out. */
export function wireText(field: FieldModel, stored: Stored | null): string {
  if (stored === null) return 'null'
  const { named, type } = field
  if (named.kind !== 'scalar' && named.kind !== 'enum') throw new Error(`${field.name} is no leaf`)
  if (type.kind === 'list') {
    const list = stored.from === 'column' ? parseExactly(stored.text) : stored.value
    if (list.kind !== 'list') throw new Error(`${field.name} is no list`)
    return `[${list.items.map((item) => itemText(named, item)).join(',')}]`
  }
  return stored.from === 'column' ? leafText(named, stored.text) : itemText(named, stored.value)
}

/** A value in a document. */
function itemText(named: ScalarType | EnumType, item: Parsed): string {
  if (item.kind === 'word' && item.text === 'null') return 'null'
  if (named.name === 'JSON') return writeParsed(item)
  // A document's own form of a time of day goes out as it stands there.
  return named.kind === 'scalar' && named.base === 'Time' ? writeParsed(item) : leafText(named, plainText(item))
}

function leafText(named: ScalarType | EnumType, text: string): string {
  if (named.kind === 'enum') return JSON.stringify(named.toName.get(text))
  switch (named.base) {
    case 'Int':
      return text
    case 'Float':
      return numberText(text)
    case 'Boolean':
      return text === 'true' || text === '1' ? 'true' : 'false'
    case 'DateTime':
      return `"${momentText(text)}"`
    case 'Date':
      return `"${text.slice(0, 10)}"`
    case 'Time':
      return `"${clockText(text)}"`
    case 'UUID':
      return `"${text.toLowerCase()}"`
    case 'JSON':
      return text
    case 'ID':
      return JSON.stringify(/^[0-9A-F]{8}-[0-9A-F-]{27}$/.test(text) ? text.toLowerCase() : text)
    default:
      return JSON.stringify(text)
  }
}

/** The shortest digits: a REAL of SQLite is told by all that it needs. */
function numberText(text: string): string {
  return text
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?)?(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/

/** A point in time in UTC, without zeros that say nothing. */
export function momentText(text: string): string {
  const [, day = '', clock = '00:00', seconds = '00', fraction = '', , sign, hours = '0', minutes = '0'] =
    MOMENT.exec(text) ?? []
  if (day === '') throw new Error(`${text} is no point in time`)
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  const shifted = new Date(Date.parse(`${day}T${clock}:${seconds}Z`) - offset).toISOString().slice(0, 19)
  return `${shifted}${fraction.replace(/\.?0+$/, '')}+00:00`
}

/** Hours, minutes, seconds, without zeros behind the point. */
export function clockText(text: string): string {
  const full = text.length === 5 ? `${text}:00` : text
  return full.includes('.') ? full.replace(/\.?0+$/, '') : full
}
