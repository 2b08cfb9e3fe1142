import { toWireName } from '../../base/util/naming.ts'
import type { AuthoredType } from '../../schema/authored.ts'
import type {
  CompiledInput,
  CompiledInterface,
  CompiledRead,
  CompiledSchema,
  CompiledType,
} from '../../schema/compiled.ts'
import type { CompileContext } from '../ground/context.ts'
import { rulesOf } from '../rules/compile-rules.ts'
import { cursorOf } from './cursor-of.ts'
import { type RowsPlace, readInjected } from './read-condition.ts'
import { compileFields } from './read-fields.ts'

type Named = Extract<keyof CompiledSchema, 'enums' | 'observers' | 'author_functions'>

export function compileTypes(context: CompileContext): readonly CompiledType[] {
  return (context.schema.types ?? []).map((type) => {
    const {
      $place: _place,
      fields: _fields,
      sql_source: _source,
      jsonb_column: _document,
      implements: all,
      ...kept
    } = type
    const where = context.typeSources.get(type.name)
    const named = context.index.get(type.name)
    const source = where?.source == null ? null : (context.sources.get(where.source) ?? null)
    const document = where?.document ?? null
    const fields = named?.kind === 'object' ? compileFields(context, { named, source, document }) : []
    const injected =
      named === undefined || source === null ? [] : injectReads(context, type, { result: named, source, document })
    const cursor = type.relay === true ? cursorOf(context, type.name) : undefined
    // `Node` is generated, and so are the implementations of it.
    const declared = all?.filter((name) => name !== 'Node' || context.index.has(name))
    return {
      ...kept,
      ...(declared === undefined ? {} : { implements: declared }),
      ...(where?.source == null ? {} : { sql_source: where.source }),
      ...(document === null ? {} : { jsonb_column: document }),
      ...(injected.length === 0 ? {} : { inject_reads: Object.fromEntries(injected) }),
      ...(cursor === undefined ? {} : { cursor }),
      fields,
    }
  })
}

function injectReads(
  context: CompileContext,
  type: AuthoredType,
  place: RowsPlace,
): readonly (readonly [string, CompiledRead])[] {
  return Object.keys(type.inject ?? {}).flatMap((column) => {
    const read = readInjected(context, place, column, `Type "${type.name}"`, type)
    return read === null ? [] : [[column, read] as const]
  })
}

export function compileInterfaces(context: CompileContext): readonly CompiledInterface[] {
  return (context.schema.interfaces ?? []).map((element) => {
    const { $place: _place, fields: _fields, sql_source: _source, ...kept } = element
    const where = context.typeSources.get(element.name)
    const named = context.index.get(element.name)
    const source = where?.source == null ? null : (context.sources.get(where.source) ?? null)
    const owner = named?.kind === 'interface' ? { named, source, document: where?.document ?? null } : null
    return {
      ...kept,
      ...(where?.source == null ? {} : { sql_source: where.source }),
      fields: owner === null ? [] : compileFields(context, owner),
    }
  })
}

export function compileInputs(context: CompileContext): readonly CompiledInput[] {
  return (context.schema.input_types ?? []).map((input) => {
    const { $place: _place, validate: _validate, fields, ...kept } = input
    return {
      ...kept,
      ...rulesOf(context, input),
      fields: fields.map((element) => {
        const { $place: _fieldPlace, validate: _fieldValidate, ...field } = element
        return { ...field, type: inputType(field), wire_name: toWireName(field.name), ...rulesOf(context, element) }
      }),
    }
  })
}

/** Returns the type of an input field. A default makes it non-null: `Boolean! = false`. */
function inputType({ type, default: byDefault }: { readonly type: string; readonly default?: unknown }): string {
  return byDefault === undefined || byDefault === null || type.endsWith('!') ? type : `${type}!`
}

export function compileUnions(context: CompileContext): CompiledSchema['unions'] {
  return (context.schema.unions ?? []).map(({ $place: _place, sql_source: _source, ...kept }) => {
    const source = context.typeSources.get(kept.name)?.source ?? null
    return source === null ? kept : { ...kept, sql_source: source }
  })
}

/**
 * Returns the elements of one list of the schema, such as `enums`, for the compiled schema: as authored, but without
 * their source locations (`$place`).
 */
export function withoutPlaces<K extends Named>(context: CompileContext, collection: K): CompiledSchema[K] {
  const elements = (context.schema[collection] ?? []) as readonly { readonly $place?: unknown }[]
  return elements.map(({ $place: _place, ...kept }) => kept) as unknown as CompiledSchema[K]
}
