import type { AuthoredField } from '../../schema/authored.ts'
import { parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../context.ts'
import { shownName } from '../passes/describe-source.ts'
import type { FieldOwner } from '../passes/field-owner.ts'
import { checkEnumLabels } from './enum-labels.ts'

/** Warns of a field that may not be null over a column that may, and of values of an enum that its column cannot hold. */
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
