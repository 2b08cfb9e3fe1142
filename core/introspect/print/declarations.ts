import type { AuthoredSchema } from '../../schema/authored.ts'
import { SCALAR_NAMES } from '../../schema/scalars.ts'
import { canBeClass } from './print-elements.ts'
import type { Declarations, DeclaredKind } from './scope.ts'
import { unprintable } from './unprintable.ts'

/** Names that the printed code, or the code that a translator makes of decorators, uses itself. */
const TAKEN: ReadonlySet<string> = new Set([
  ...'Array Error Function Object Promise Reflect Symbol TypeError WeakMap WeakSet'.split(' '),
  ...'type field list nullable query mutation subscription observer enum_ union scalar input interface_ ref hierarchy'.split(
    ' ',
  ),
  'arrowQuery',
  'schemaKeys',
  ...'any bigint boolean never null number object string symbol undefined unknown void true false'.split(' '),
  ...'await break case catch class const continue debugger default delete do else enum export extends finally for'.split(
    ' ',
  ),
  ...'function if implements import in instanceof interface let new package private protected public return static'.split(
    ' ',
  ),
  ...'super switch this throw try typeof var while with yield arguments eval async'.split(' '),
])

/**
 * Assigns each type of a schema a TypeScript identifier and the file that declares it, for printing the schema as
 * modules.
 * @param fileOf returns the file for the type with this name
 * @param index file that exports all declarations
 * @param className name of the class with the operations, which no type may have
 * @throws SvcError SVC_USAGE: a name is no identifier, or two elements share it
 */
export function declarationsOf(
  schema: AuthoredSchema,
  fileOf: (collection: string, name: string) => string,
  index: string,
  className: string,
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
  const used = new Set([...TAKEN, className])
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
