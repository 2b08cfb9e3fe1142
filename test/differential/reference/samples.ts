import type { FieldModel, SchemaModel } from '../../../core/doors/plugin.ts'
import type { Samples } from '../generate/operands.ts'
import { type Parsed, parseExactly } from '../json-text.ts'
import { type Json, Token } from '../request.ts'
import { type Row, type Sources, storedOf } from './rows.ts'
import { wireText } from './wire.ts'

/** At most so many values of a field. */
const MOST = 60

/** The values that rows have, in wire form, by field: what operands are made of. */
export function samplesOf(model: SchemaModel, sources: Sources): Samples {
  const values = new Map<FieldModel, readonly Json[]>()
  for (const type of model.types.values()) {
    if (type.kind !== 'object' && type.kind !== 'interface') continue
    const source = type.source === null ? null : (sources.get(type.source.name) ?? null)
    const rows: readonly (Row | Parsed)[] = source?.rows ?? objectsOf(model, sources, type.name)
    for (const field of type.fields.values()) {
      if (field.read === null || field.read.from === 'relation') continue
      if (field.named.kind !== 'scalar' && field.named.kind !== 'enum') continue
      const texts = new Set(
        rows.map((row) => (holds(row, field) ? wireText(field, storedOf(row, field, source)) : 'null')),
      )
      texts.delete('null')
      values.set(
        field,
        [...texts].slice(0, MOST).map((text) => toJson(parseExactly(text))),
      )
    }
  }
  return (field) => values.get(field) ?? []
}

/** A view of several types has the columns of all. */
function holds(row: Row | Parsed, { read }: FieldModel): boolean {
  return !('cells' in row) || read?.from !== 'column' || row.cells.has(read.column)
}

/** The objects of an embedded type, in all documents. */
function objectsOf(model: SchemaModel, sources: Sources, name: string): readonly Parsed[] {
  const found: Parsed[] = []
  const collect = (holder: Row | Parsed, fields: Iterable<FieldModel>): void => {
    for (const field of fields) {
      if (field.named.kind !== 'object' || field.read?.from !== 'document') continue
      const stored = storedOf(holder, field, null)
      if (stored?.from !== 'document') continue
      const objects = stored.value.kind === 'list' ? stored.value.items : [stored.value]
      if (field.named.name === name) found.push(...objects)
      for (const object of objects) collect(object, field.named.fields.values())
    }
  }
  for (const type of model.types.values()) {
    if (type.kind !== 'object' || type.source === null || type.document === null) continue
    for (const row of sources.get(type.source.name)?.rows ?? []) collect(row, type.fields.values())
  }
  return found
}

function toJson(parsed: Parsed): Json {
  switch (parsed.kind) {
    case 'text':
      return parsed.value
    case 'number':
      return String(Number(parsed.text)) === parsed.text ? Number(parsed.text) : new Token(parsed.text)
    case 'word':
      return parsed.text === 'null' ? null : parsed.text === 'true'
    case 'list':
      return parsed.items.map(toJson)
    case 'object':
      return Object.fromEntries(parsed.members.map(([key, member]) => [key, toJson(member)]))
  }
}
