import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { FieldSelection, ObjectSelection } from '../../../contract/operation.ts'
import type { LeafRule, PreparedColumn, PreparedColumns } from '../../../contract/prepared-stream.ts'
import type { ResultColumn } from '../../../contract/result-stream.ts'
import type { Row } from '../../../contract/statement.ts'
import type { NamedType } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { complete } from '../../json/complete.ts'
import { fits } from '../../json/fits.ts'
import type { MemberShape } from '../../json/value-shape.ts'
import { isRewritten } from '../read/shape.ts'
import { noteErrors } from './note-errors.ts'
import type { StreamParts } from './open-stream.ts'

type Value = string | null
/** Converts a value. @returns the value for the consumer; `undefined`: it needs completion */
type Convert = (text: string) => Value | undefined

interface Cell {
  readonly name: string
  readonly member: MemberShape | undefined
  readonly required: boolean
  /** `null`: the value is passed unchanged. */
  readonly convert: Convert | null
  /** Returns the value as JSON text, for completion. */
  readonly jsonOf: (text: string) => string
  readonly isJson: boolean
}

/**
 * Creates the function that checks and converts the rows of a stream that has one column per field.
 * @param members expected form of each value, by response key
 * @param key response key of the root field, for the paths of errors
 * @param maxBytes maximum length of a row; it is compared with the number of characters, not of bytes
 */
export function convertColumns(
  { columns, nullScan }: Pick<PreparedColumns, 'columns' | 'nullScan'>,
  members: ReadonlyMap<string, MemberShape>,
  key: string,
  maxBytes: number,
): StreamParts<Row>['convert'] {
  const cells = columns.map((column) => cellOf(column, members.get(column.name), nullScan))
  const passes = cells.every(({ required, convert }) => !required && convert === null)

  function convertValue(cell: Cell, text: Value, index: number, errors: SvcError[]): Value {
    const value = text === null ? (cell.required ? undefined : null) : cell.convert === null ? text : cell.convert(text)
    if (value !== undefined) return value
    const completed = complete(text === null ? 'null' : cell.jsonOf(text), cell.member!, [key, index, cell.name])
    noteErrors(errors, completed.errors, completed.text === null)
    const json = completed.text!
    return cell.isJson ? (json === 'null' ? null : json) : plainOf(json)
  }

  return (rows, index, errors) => {
    for (const row of rows) checkSize(row, maxBytes)
    if (passes) return rows
    return rows.map((row, i) => cells.map((cell, c) => convertValue(cell, row[c] ?? null, index + i, errors)))
  }
}

function checkSize(row: Row, maxBytes: number): void {
  let size = 0
  for (const value of row) size += value?.length ?? 0
  if (size > maxBytes) throw new ResultTooLarge(maxBytes)
}

function cellOf(column: PreparedColumn, member: MemberShape | undefined, nullScan: readonly string[]): Cell {
  const { name, text, rule, verify } = column
  const required = member !== undefined && !member.shape.nullable
  const isJson = text === 'json'
  const base = { name, member, required, isJson }
  switch (text) {
    case 'plain': {
      const tokenOf = rule === null || isNumber(member) ? (plain: string) => plain : JSON.stringify
      const convert = rule === null ? null : ruled(rule, tokenOf)
      return { ...base, convert, jsonOf: tokenOf }
    }
    case 'token': {
      if (member !== undefined && isRewritten(member.shape)) return { ...base, convert: () => undefined, jsonOf: same }
      return { ...base, convert: rule === null ? plainOf : ruled(rule, same), jsonOf: same }
    }
    case 'json': {
      const always = member !== undefined && isRewritten(member.shape)
      return { ...base, convert: member === undefined ? null : held(member, verify, always, nullScan), jsonOf: same }
    }
  }
}

const same = (text: string): string => text

function ruled(rule: LeafRule, tokenOf: (text: string) => string): Convert {
  return (text) => {
    const json = rule(tokenOf(text))
    return json === null ? undefined : plainOf(json)
  }
}

function held(member: MemberShape, verify: boolean, always: boolean, nullScan: readonly string[]): Convert {
  return (text) => {
    if (always) return undefined
    if (text === 'null') return member.shape.nullable ? null : undefined
    if (verify) return fits(text, member) ? text : undefined
    for (const sign of nullScan) if (text.includes(sign)) return undefined
    return text
  }
}

/** Returns the text of a JSON scalar without quotes. */
function plainOf(json: string): Value {
  if (json === 'null') return null
  if (json.charCodeAt(0) !== QUOTE) return json
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1)
}

const QUOTE = 34

/** Tests whether a leaf accepts JSON numbers. */
function isNumber(member: MemberShape | undefined): boolean {
  return member?.shape.leaf != null && member.shape.leaf('0') === '0'
}

/** Returns name, type and nullability of each column in a stream, one for each selected field. */
export function describeColumns({ fields }: ObjectSelection): readonly ResultColumn[] {
  return fields.map(describeColumn)
}

function describeColumn(field: FieldSelection): ResultColumn {
  const name = field.responseKey
  if (field.kind === 'typename') return { name, type: 'text', nullable: false }
  if (field.kind === 'aggregate') return { name, type: 'json', nullable: true }
  const { type, named } = field.field
  return { name, type: type.kind === 'list' ? 'json' : canonicalType(named), nullable: type.nullable }
}

function canonicalType(named: NamedType): string {
  if (named.kind === 'enum') return 'text'
  if (named.kind !== 'scalar' || named.codec?.serialize !== undefined) return 'json'
  return named.base === 'JSON' ? 'json' : (scalarOf(named).documentCast ?? 'text')
}
