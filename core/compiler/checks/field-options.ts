import type { AuthoredField } from '../../schema/authored.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { aKind, isComposite } from '../ground/type-index.ts'

/** Checks that options of a field do not contradict each other, and that required companions of an option are set. */
export function checkFieldOptions(context: CompileContext): void {
  const { schema, report } = context
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of owner.fields) {
      for (const problem of fieldProblems(context, field)) {
        report.fault('field-option', `${owner.name}.${field.name}: ${problem}`, field, owner)
      }
    }
  }
  for (const type of schema.types ?? []) {
    if (type.embedded === true && type.sql_source !== undefined) {
      report.fault('field-option', `Type "${type.name}" is embedded and has sql_source. Drop one of them.`, type)
    }
  }
}

function fieldProblems(context: CompileContext, field: AuthoredField): readonly string[] {
  const problems: string[] = []
  const ref = parseTypeRef(field.type)
  const named = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  const { requires_scope: scope, requires_role: role, authorize } = field
  if (field.on_deny !== undefined && scope === undefined && role === undefined && authorize === undefined) {
    problems.push(
      'on_deny says what happens without the right, and nothing asks for one. Add requires_scope, requires_role or authorize.',
    )
  }
  if (field.computed === true) {
    if (field.column !== undefined)
      problems.push('a computed field is not read from a column. Drop column or computed.')
    if (field.relation !== undefined) problems.push('a computed field is no relation. Drop relation or computed.')
    if (field.filterable === true)
      problems.push('a computed field is not in the database and cannot be filtered. Drop filterable.')
    if (field.orderable === true)
      problems.push('a computed field is not in the database and cannot be sorted by. Drop orderable.')
    if (field.searchable === true)
      problems.push('a computed field is not in the database and cannot be searched. Drop searchable.')
  }
  if (field.filterable === false && (field.filter_operators !== undefined || field.filter_type !== undefined)) {
    problems.push(
      'filterable is false, so filter_operators and filter_type have nothing to say. Drop them or filterable.',
    )
  }
  if (named === undefined || ref === null) return problems
  if (field.relation !== undefined && !isComposite(named)) {
    problems.push(`a relation leads to a type, and ${named.name} is ${aKind(named)}. Drop relation.`)
  }
  if (field.relation !== undefined && field.column !== undefined)
    problems.push('a relation has its columns in from and to. Drop column.')
  if (isComposite(named)) {
    if (field.filter_operators !== undefined)
      problems.push(`operators belong to scalars, and ${named.name} is ${aKind(named)}. Drop filter_operators.`)
    if (field.searchable === true)
      problems.push(`search reads text, and ${named.name} is ${aKind(named)}. Drop searchable.`)
    if (field.orderable === true && isListRef(ref))
      problems.push('a list of objects cannot be sorted by. Drop orderable.')
  }
  return problems
}
