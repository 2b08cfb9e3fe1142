import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { type Change, type ChangeLevel, collectChanges } from './change.ts'
import { reportQuietChanges } from './graphql-quiet-changes.ts'

/** A change as graphql-js describes it. */
interface Found {
  readonly type: string
  readonly description: string
}

/**
 * Compares two GraphQL schemas, each as SDL, for clients that send documents. graphql-js finds the breaking and
 * dangerous changes. It does not know whether clients send or receive a type, so some of its findings are reported as
 * safe:
 * - An added optional argument or input field is safe, because no document uses it.
 * - An added enum value is safe if clients only send the enum; a removed value is safe if they only receive it.
 */
export function compareGraphQL(before: string, after: string): readonly Change[] {
  const [old, now] = [before, after].map((sdl) => buildSchema(sdl, { assumeValidSDL: true })) as [
    GraphQLSchema,
    GraphQLSchema,
  ]
  return collectChanges('graphql', (report) => {
    const sent = { before: sentEnums(old), after: sentEnums(now) }
    const received = { before: receivedEnums(old), after: receivedEnums(now) }
    const levelOf = (found: Found, level: ChangeLevel): ChangeLevel => {
      const enumName = ENUM_OF.exec(found.description)?.[1] ?? ''
      if (found.type === 'OPTIONAL_ARG_ADDED' || found.type === 'OPTIONAL_INPUT_FIELD_ADDED') return 'safe'
      if (found.type === 'VALUE_ADDED_TO_ENUM' && !received.after.has(enumName)) return 'safe'
      if (found.type === 'VALUE_REMOVED_FROM_ENUM' && !sent.before.has(enumName)) return 'safe'
      return level
    }
    const add = (level: ChangeLevel) => (found: Found) => {
      // Documents do not name an unused scalar, and a lost default of a required argument is reported as such.
      const isNoise = / scalar \w+ was removed because/.test(found.description) || isLostDefault(found, now)
      if (!isNoise) report(levelOf(found, level), found.type, placeOf(found), found.description)
    }
    findBreakingChanges(old, now).forEach(add('breaking'))
    findDangerousChanges(old, now).forEach(add('dangerous'))
    reportQuietChanges(old, now, report)
  })
}

const LOST_DEFAULT = /^(\w+)\.(\w+) arg (\w+) defaultValue was removed/

/** Has a required argument lost its default? */
function isLostDefault({ description }: Found, schema: GraphQLSchema): boolean {
  const [, typeName = '', field = '', argument = ''] = LOST_DEFAULT.exec(description) ?? []
  const type = schema.getType(typeName)
  if (!isObjectType(type) && !isInterfaceType(type)) return false
  const found = type.getFields()[field]?.args.find(({ name }) => name === argument)
  return found !== undefined && isRequiredArgument(found)
}

const ENUM_OF = /enum type (\w+)/

/** Patterns of graphql-js's descriptions, which name the location only in their text. */
const PLACES: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^A required arg (\w+) on directive (\w+)/, ([, arg, directive]) => `@${directive}(${arg})`],
  [/^(?:A required|An optional) arg (\w+) on (\w+\.\w+)/, ([, arg, field]) => `${field}(${arg})`],
  [/^(\w+\.\w+) arg (\w+)/, ([, field, arg]) => `${field}(${arg})`],
  [/^(?:A required|An optional) field (\w+) on input type (\w+)/, ([, field, type]) => `${type}.${field}`],
  [/^(\w+) was (?:removed from|added to) (?:enum|union) type (\w+)/, ([, member, type]) => `${type}.${member}`],
  [/ interfaces implemented by (\w+)/, ([, type]) => type!],
  [/^(\w+) was removed from (\w+)\.$/, ([, part, directive]) => `@${directive}(${part})`],
  [/^(\w+(?:\.\w+)?)/, ([, name]) => name!],
]

function placeOf({ type, description }: Found): string {
  if (type === 'DIRECTIVE_REMOVED') return `@${description.split(' ')[0]}`
  for (const [pattern, print] of PLACES) {
    const found = pattern.exec(description)
    if (found !== null) return print(found)
  }
  return description
}

/** Returns the names of the enums that clients can send. */
function sentEnums(schema: GraphQLSchema): ReadonlySet<string> {
  return namesOf(schema, (type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => getNamedType(field.type))
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    return Object.values(type.getFields()).flatMap(({ args }) => args.map((arg) => getNamedType(arg.type)))
  })
}

/** Returns the names of the enums that clients can receive. */
function receivedEnums(schema: GraphQLSchema): ReadonlySet<string> {
  return namesOf(schema, (type) =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).map((field) => getNamedType(field.type))
      : [],
  )
}

function namesOf(schema: GraphQLSchema, of: (type: GraphQLNamedType) => readonly GraphQLNamedType[]) {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
  return new Set(types.flatMap((type) => of(type).filter(isEnumType)).map(({ name }) => name))
}
