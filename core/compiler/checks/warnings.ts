import { isListRef, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { resolveAutoParams } from '../passes/auto-params.ts'
import { planeOf } from '../passes/plane-of.ts'
import { hasTypeRules } from './type-rules.ts'

/**
 * Warns of parts of a schema that are valid but rarely intended, such as a list without a limit
 * (docs/reference/compile-messages.md#warnings).
 */
export function collectWarnings(context: CompileContext): void {
  const { schema, report } = context
  if (!hasQueryRoot(context)) {
    report.warn(
      'no-queries',
      'The schema has no query, and no GraphQL client can introspect a schema without one. Declare one over any view.',
    )
  }
  for (const type of schema.types ?? []) {
    if (type.fields.length === 0)
      report.warn(
        'no-fields',
        `Type "${type.name}" has no fields. GraphQL clients refuse a schema with such a type: give it one, or take it out.`,
        type,
      )
  }
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of owner.fields) {
      if (field.default !== undefined) {
        report.warn(
          'unused-default',
          `${owner.name}.${field.name} has a default, and what is read is never filled in. Put the default into the input, or coalesce in the view.`,
          field,
          owner,
        )
      }
      const ref = parseTypeRef(field.type)
      if (ref === null || ref.kind === 'list' || ref.nullable) continue
      const target = context.index.get(ref.name)
      if (target?.kind !== 'object' || !hasTypeRules(target.element)) continue
      report.warn(
        'hidden-row',
        `${owner.name}.${field.name} may not be null, and the rules of ${ref.name} can hide the row that it leads to: the ${owner.name} cannot be answered then. Declare it as ${ref.name}, without "!".`,
        field,
        owner,
      )
    }
  }
  for (const query of schema.queries ?? []) {
    const ref = parseTypeRef(query.type)
    if (ref === null || !isListRef(ref) || query.relay === true) continue
    const params = resolveAutoParams(query, true, context.queryDefaults)
    if (!params.limit) {
      report.warn(
        'unbounded-list',
        `Query "${query.name}" has limit = false: it reads every row (unbounded scan).`,
        query,
      )
    } else if (!params.order_by) {
      report.warn(
        'unordered-limit',
        `Query "${query.name}" has limit = true and order_by = false: its pages come in no fixed order (non-deterministic pagination).`,
        query,
      )
    }
  }
}

/** Does the query root have fields? Relay types add `node`, and entities add `_entities`. */
function hasQueryRoot({ schema: { types = [], queries = [] }, facts }: CompileContext): boolean {
  return (
    queries.some((query) => planeOf(query) === 'graphql') ||
    types.some((type) => type.relay === true || facts.isEntity(type))
  )
}
