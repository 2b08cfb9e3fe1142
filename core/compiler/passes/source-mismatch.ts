import { toSnakeCase } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredQuery } from '../../schema/authored.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { isComposite, type NamedElement } from '../ground/type-index.ts'
import { columnOf } from './describe-source.ts'
import { membersOf } from './resolve-sources.ts'

/**
 * Checks a query that reads another view than its result type: its view must have the columns that the fields of the
 * type are read from. A view with JSON documents is not checked, because their keys are unknown.
 * @param name name of the view
 * @param document JSON column of the view; `null`: it has none
 */
export function checkReadsHold(
  context: CompileContext,
  query: AuthoredQuery,
  result: NamedElement,
  name: string,
  source: CompiledSource,
  document: string | null,
): void {
  if (context.catalog === null || document !== null) return
  const types = result.kind === 'object' ? [result.name] : [result.name, ...membersOf(context, result.name)]
  for (const type of types) {
    const named = context.index.get(type)
    if (context.typeSources.get(type)?.source === name) continue
    if (named === undefined || (named.kind !== 'object' && named.kind !== 'interface')) continue
    const missing = named.element.fields.flatMap((field) => lackedBy(context, source, field))
    if (missing.length === 0) continue
    const whose = type === result.name ? `${type} reads` : `its member ${type} reads`
    context.report.fault(
      'source-mismatch',
      `Query "${query.name}": ${name} lacks ${missing.length === 1 ? 'the column' : 'the columns'} ${listNames(missing)} that ${whose}. ` +
        `Add ${missing.length === 1 ? 'it' : 'them'} to the view, or return a type that fits.`,
      query,
    )
  }
}

/** Returns the columns that the field needs and the source lacks. */
function lackedBy(context: CompileContext, source: CompiledSource, field: AuthoredField): readonly string[] {
  if (field.computed === true) return []
  if (field.relation !== undefined)
    return [field.relation.from].flat().filter((name) => columnOf(source, name) === null)
  const ref = parseTypeRef(field.type)
  const target = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  // Columns of relations by name are not checked here: they are resolved with the type.
  if (target === undefined || isComposite(target)) return []
  const column = field.column ?? toSnakeCase(field.name)
  return columnOf(source, column) !== null || columnOf(source, field.name) !== null ? [] : [column]
}
