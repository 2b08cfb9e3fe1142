import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredField } from '../../schema/authored.ts'
import { namedTypeOf, parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { shownName } from './describe-source.ts'
import type { FieldOwner } from './field-owner.ts'

/**
 * Warns about a non-null field that is read from a nullable column, and about a GraphQL enum with a value that the enum
 * type of the column lacks. An unknown column causes no warning.
 * @param name name of the column
 */
export function checkColumnValues(
  context: CompileContext,
  owner: FieldOwner,
  field: AuthoredField,
  name: string,
): void {
  const { report } = context
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
  checkEnumLabels(context, ref, column.labels, `${label} (column ${name} of ${source})`)
}

/**
 * Warns of values of a schema enum that the corresponding enum type of the database lacks.
 * @param labels values of the database enum; `undefined`: the database type is no enum
 * @param place column or parameter with the database type, for the message
 */
export function checkEnumLabels(
  { index, report }: CompileContext,
  ref: TypeRef,
  labels: readonly string[] | undefined,
  place: string,
): void {
  const named = index.get(namedTypeOf(ref).name)
  if (named?.kind !== 'enum' || labels === undefined) return
  for (const value of named.element.values) {
    const stored = value.value ?? value.name
    if (labels.includes(stored)) continue
    const near = didYouMean(stored, labels)
    report.warn(
      'enum-label',
      `${named.name}.${value.name} is "${stored}" in the database, and the enum of ${place} has no such label.` +
        `${near === '' ? ` It has: ${listNames(labels)}.` : near} Say what it stores with "value", add the label, or take the value out.`,
      named.element,
    )
  }
}
