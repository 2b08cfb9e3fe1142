import type { SourceLocation } from '../schema/authored.ts'
import { brandClass, type NamedKind } from './brand.ts'
import { decoratorFault } from './members.ts'
import { reportFault } from './registry.ts'

/**
 * Registers a class as the declaration of a type without fields (enum, union or scalar), so that fields can use it as a
 * type. Called by the decorators `@enum_`, `@union` and `@scalar`.
 * @param word name of the decorator, for faults
 * @param givenName name from the options; `undefined`: the name of the class
 * @returns the name of the type; `null` when the decorator is applied to an invalid target, which is reported as a
 * fault
 */
export function markClass(
  kind: NamedKind,
  word: string,
  target: object,
  context: unknown,
  givenName: string | undefined,
  place: SourceLocation,
): string | null {
  const wrong = decoratorFault(context, ['class'])
  if (wrong !== null) {
    reportFault(place, `@${word} ${wrong}`)
    return null
  }
  const name = givenName ?? (context as ClassDecoratorContext).name ?? ''
  brandClass(target, { kind, name })
  return name
}
