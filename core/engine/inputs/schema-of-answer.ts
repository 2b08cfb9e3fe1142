import type { FieldSelection, Selection, WrapperField } from '../../contract/operation.ts'
import type { FieldModel, MutationModel, NamedType, QueryModel } from '../../schema/model.ts'
import { scalarSchema } from './scalar-schema.ts'
import { listed, nullable, type SchemaPart } from './schema-part.ts'

/**
 * Returns the JSON Schema for the result of a query or mutation with a certain selection, as
 * `OperationMaker.selectionOf` returns it.
 */
export function schemaOfAnswer({ type, named }: QueryModel | MutationModel, selection: Selection): SchemaPart {
  // The selection of a wrapper describes the wrapper object, not the list.
  if (selection?.kind === 'connection' || selection?.kind === 'list')
    return nullable(type.nullable, answerOf(named, selection))
  return listed(type, () => answerOf(named, selection), true)
}

function answerOf(named: NamedType, selection: Selection): SchemaPart {
  if (selection === null) return leafOf(named)
  switch (selection.kind) {
    case 'object':
      return objectOfFields(selection.fields, selection.type.name)
    case 'abstract':
      return { anyOf: [...selection.possible].map(([name, { fields }]) => objectOfFields(fields, name)) }
    case 'connection':
    case 'list':
      return members(selection.fields.map((field) => [field.responseKey, wrapperOf(field, named)]))
  }
}

function leafOf(named: NamedType): SchemaPart {
  if (named.kind === 'enum') return { type: 'string', enum: named.values.map(({ name }) => name) }
  if (named.kind !== 'scalar') return {}
  // The result of a custom `serialize` is unknown.
  return scalarSchema(named.codec?.serialize === undefined ? (named.semantic ?? named.base) : null, 'answer')
}

function objectOfFields(fields: readonly FieldSelection[], typeName: string): SchemaPart {
  const optional = new Set(fields.flatMap((field) => ('optional' in field && field.optional ? field.responseKey : [])))
  return members(
    fields.map((field) => [field.responseKey, fieldOf(field, typeName)]),
    optional,
  )
}

function fieldOf(selected: FieldSelection, typeName: string): SchemaPart {
  if (selected.kind === 'typename') return { const: typeName }
  if (selected.kind === 'denied') return { type: 'null' }
  if (selected.kind === 'aggregate') return {}
  const { field, selection } = selected
  return { ...listed(field.type, () => answerOf(field.named, selection), true), ...described(field) }
}

function described({ description, deprecated }: FieldModel): SchemaPart {
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
  }
}

function wrapperOf(field: WrapperField, named: NamedType): SchemaPart {
  switch (field.field) {
    case '__typename':
      return { type: 'string' }
    case 'totalCount':
      return { type: 'integer' }
    case 'items':
      return { type: 'array', items: answerOf(named, field.selection) }
    case 'pageInfo':
      return members(
        field.members.map(({ name, responseKey }) => [
          responseKey,
          name.startsWith('has') ? { type: 'boolean' } : { type: ['string', 'null'] },
        ]),
      )
    case 'edges':
      return {
        type: 'array',
        items: members(
          field.members.map((member) => [
            member.responseKey,
            member.name === 'node' ? answerOf(named, member.selection) : { type: 'string' },
          ]),
        ),
      }
  }
}

function members(
  entries: readonly (readonly [string, SchemaPart])[],
  optional: ReadonlySet<string> = new Set(),
): SchemaPart {
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: entries.map(([key]) => key).filter((key) => !optional.has(key)),
    additionalProperties: false,
  }
}
