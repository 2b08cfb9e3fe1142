import type { SourceLocation } from '../schema/authored.ts'
import { brandClass, type NamedKind } from './brand.ts'
import { decoratorFault } from './members.ts'
import { reportFault } from './registry.ts'

/**
 * Marks the class of an element without fields (enum, union, scalar) and returns its name.
 * @returns `null` when the decorator is applied to an invalid target, which is reported as a fault
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
