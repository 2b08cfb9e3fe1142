import { didYouMean, listNames } from '../../base/util/nearest.ts'
import { namedTypeOf, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../context.ts'

/**
 * Warns of values of an enum that an enum of the database lacks.
 * @param labels of that enum; `undefined`: it is none
 * @param place what is of that enum, for the message
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
