import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql'
import { type ApiSchema, typesOf } from '../schema/read-api-schema.ts'

type Names = ReadonlyMap<string, string>

const KEYWORDS = (
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
  'lambda nonlocal not or pass raise return try while with yield match case type self print'
).split(' ')

/** Builtins that the module uses in annotations. */
const BUILTINS = [
  'str',
  'int',
  'float',
  'bool',
  'list',
  'dict',
  'tuple',
  'property',
  'super',
  'object',
  'Exception',
  'ValueError',
]

/**
 * Returns the name, with underscores at the end while it is a keyword, a builtin or in `used`. Adds the result to
 * `used`.
 */
export function freePythonName(name: string, used: Set<string>): string {
  // Inside a class, a name with two underscores would be changed, and `name: str` must not hide the builtin of later fields.
  const free = (wanted: string): string =>
    used.has(wanted) || KEYWORDS.includes(wanted) || BUILTINS.includes(wanted) ? free(`${wanted}_`) : wanted
  const found = free(name)
  used.add(found)
  return found
}

/**
 * Chooses a Python name for each GraphQL type. A name that is a keyword or occurs in the generated module's own code
 * gets an underscore.
 * @param runtime source of the code that every generated module contains
 * @returns Python names by GraphQL name
 */
export function pythonNames(api: ApiSchema, runtime: string): Names {
  const used = new Set([
    ...(runtime.match(/\b[A-Za-z_]\w*/g) ?? []),
    ...['annotations', 'dataclass', 'Literal', 'TypedDict', 'QueryFunctions', 'MutationFunctions'],
  ])
  return new Map(typesOf(api).map(({ name }) => [name, freePythonName(name, used)]))
}

/** Writes a text as a Python string literal, with quotes and escapes. */
export function quotePython(text: string): string {
  return JSON.stringify(text)
}

/**
 * Writes a GraphQL description as a Python docstring with a line break at the end. Empty if there is no description.
 */
export function writeDocstring(text: string | null | undefined, indent: string): string {
  if (text == null || text.trim() === '') return ''
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const lines = escaped.split(/\r\n|[\n\r]/).map((line) => line.trim())
  return `${indent}"""${lines.join(`\n${indent}`)}"""\n`.replaceAll(/[ \t]+\n/g, '\n')
}

/**
 * Writes the Python type annotation for a GraphQL type: `Optional[list[str]]`.
 * @param direction `in`: clients send the value; `out`: clients receive it
 * @param names Python name of each type, from `pythonNames`
 */
export function writeAnnotation(
  type: GraphQLOutputType | GraphQLInputType,
  direction: 'in' | 'out',
  api: ApiSchema,
  names: Names,
): string {
  if (isNonNullType(type)) return writeNonNull(type.ofType, direction, api, names)
  return `Optional[${writeNonNull(type, direction, api, names)}]`
}

function writeNonNull(
  type: GraphQLOutputType | GraphQLInputType,
  direction: 'in' | 'out',
  api: ApiSchema,
  names: Names,
): string {
  if (isListType(type)) return `list[${writeAnnotation(type.ofType, direction, api, names)}]`
  const named = type as GraphQLNamedType
  if (!isScalarType(named)) return names.get(named.name)!
  if (named.name === 'ID' && direction === 'in') return 'Union[str, int]'
  if (named.name === 'Int') return 'int'
  return { string: 'str', number: 'float', boolean: 'bool', json: 'Any' }[api.wireOf(named.name)]
}

/**
 * Writes the Python declaration of a GraphQL input type as a TypedDict. It uses the call syntax, in which a key may be
 * a Python keyword.
 * @param names Python name of each type, from `pythonNames`
 */
export function writeInputType(type: GraphQLInputObjectType, api: ApiSchema, names: Names): string {
  const name = names.get(type.name)!
  const fields = Object.values(type.getFields())
  const write = (suffix: string, required: boolean): string => {
    const own = fields.filter((field) => isRequiredInputField(field) === required)
    const members = own.map(
      (field) => `    ${quotePython(field.name)}: ${quotePython(writeAnnotation(field.type, 'in', api, names))},\n`,
    )
    return `${name}${suffix} = TypedDict(${quotePython(name + suffix)}, {\n${members.join('')}}, total=${required ? 'True' : 'False'})\n`
  }
  const [some, all] = [fields.some(isRequiredInputField), fields.every(isRequiredInputField)]
  if (!some || all) return write('', all)
  const [required, optional] = [`_Required`, `_Optional`]
  return `${write(required, true)}${write(optional, false)}\n\nclass ${name}(${name}${required}, ${name}${optional}):\n    pass\n`
}
