import type { AuthoredSchema } from '../../schema/authored.ts'
import { SCALAR_NAMES } from '../../schema/scalars.ts'
import { canBeClass } from './print-elements.ts'
import type { Declarations, DeclaredKind } from './scope.ts'
import { unprintable } from './unprintable.ts'

/**
 * Assigns each type of a schema an identifier and the file that declares it, for printing the schema as modules.
 * @param fileOf returns the file for the type with this name
 * @param index file that exports all declarations
 * @param taken identifiers that no type may have
 * @throws SvcError SVC_USAGE: a name is no identifier, or two elements share it
 */
export function declarationsOf(
  schema: AuthoredSchema,
  fileOf: (collection: string, name: string) => string,
  index: string,
  taken: ReadonlySet<string>,
): Declarations {
  const kinds = new Map<string, DeclaredKind>()
  const files = new Map<string, string>()
  const add = (collection: keyof AuthoredSchema, kindOf: (element: never) => DeclaredKind): void => {
    for (const element of (schema[collection] ?? []) as readonly { readonly name: string }[]) {
      const { name } = element
      const subject = `The name "${name}"`
      if (!/^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw unprintable(subject, 'it is no name of GraphQL')
      if (kinds.has(name)) throw unprintable(subject, 'two elements have it')
      kinds.set(name, kindOf(element as never))
      files.set(name, fileOf(collection, name))
    }
  }
  const withFields = (element: {
    readonly name: string
    readonly fields: readonly { name: string; type: string }[]
  }) => (canBeClass(element) ? 'class' : 'handle')
  add('enums', () => 'enum')
  add('custom_scalars', () => 'scalar')
  add('unions', () => 'union')
  add('types', withFields)
  add('interfaces', withFields)
  add('input_types', withFields)
  const scalars = new Set(SCALAR_NAMES)
  const identifiers = new Map<string, string>()
  const used = new Set(taken)
  for (const name of kinds.keys()) {
    // A declared scalar replaces a semantic one, which is then not imported.
    let identifier = name
    while (used.has(identifier) || (identifier !== name && (kinds.has(identifier) || scalars.has(identifier))))
      identifier = `${identifier}_`
    used.add(identifier)
    identifiers.set(name, identifier)
  }
  return { fileOf: files, kindOf: kinds, identifierOf: identifiers, index }
}
