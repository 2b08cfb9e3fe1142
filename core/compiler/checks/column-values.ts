import type { AuthoredField } from '../../schema/authored.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { didYouMean, listNames } from '../../util/nearest.ts'
import type { CompileContext } from '../context.ts'
import { shownName } from '../passes/describe-source.ts'
import type { FieldOwner } from '../passes/field-owner.ts'

/** Warns of a field that may not be null over a column that may, and of values of an enum that its column cannot hold. */
export function checkColumnValues(
  context: CompileContext,
  owner: FieldOwner,
  field: AuthoredField,
  name: string,
): void {
  const { report, index } = context
  const { element } = owner.named
  const key = context.typeSources.get(owner.named.name)?.source
  const column = key == null ? undefined : context.catalog?.relations.get(key)?.columns.find((one) => one.name === name)
  const ref = parseTypeRef(field.type)
  if (column === undefined || ref === null || owner.source === null) return
  const label = `${owner.named.name}.${field.name}`
  const source = shownName(context, owner.source)
  if (!ref.nullable && column.nullable === true) {
    report.warn(
      'nullable-column',
      `${label} is ${field.type}, and the column ${name} of ${source} may be NULL: a row without a value is an error in the place of its ${owner.named.name}. ` +
        `Declare ${field.type.slice(0, -1)}, make the column NOT NULL, or coalesce it in the view.`,
      field,
      element,
    )
  }
  const named = index.get(namedTypeOf(ref).name)
  if (named?.kind !== 'enum' || column.labels === undefined) return
  for (const value of named.element.values) {
    const stored = value.value ?? value.name
    if (column.labels.includes(stored)) continue
    const near = didYouMean(stored, column.labels)
    report.warn(
      'enum-label',
      `${named.name}.${value.name} is "${stored}" in the database, and the enum of ${label} (column ${name} of ${source}) has no such label.` +
        `${near === '' ? ` It has: ${listNames(column.labels)}.` : near} Say what it stores with "value", add the label, or take the value out.`,
      named.element,
    )
  }
}
