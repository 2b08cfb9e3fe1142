import {
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { SvcError } from '../../../core/doors/plugin.ts'
import { collectFields, subselections } from './collect-fields.ts'
import { locate, type SelectionContext } from './selection-context.ts'

/**
 * How to select the requested fields from the value that a plugin's root field returns, and to check the types. Made
 * once per document.
 */
export type Projection =
  | { readonly kind: 'list'; readonly nullable: boolean; readonly items: Projection }
  | {
      readonly kind: 'leaf'
      readonly nullable: boolean
      readonly fits: (value: unknown) => boolean
      readonly type: string
    }
  | {
      readonly kind: 'object'
      readonly nullable: boolean
      readonly type: string
      readonly isAbstract: boolean
      /** Fields by name of the concrete type. */
      readonly possible: ReadonlyMap<string, readonly ProjectedField[]>
    }

interface ProjectedField {
  readonly key: string
  /** `null` = `__typename`. */
  readonly name: string | null
  readonly projection: Projection
}

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isSafeInteger(value),
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  Float: (value) => Number.isFinite(value),
}

/**
 * Prepares the selection of requested fields from the value that a plugin's root field returns.
 * @param sets selection sets of the field, to merge
 * @throws SvcError GRAPHQL_VALIDATION_FAILED for arguments below the root field
 */
export function buildProjection(
  context: SelectionContext,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  nullable = true,
): Projection {
  if (isNonNullType(type)) return buildProjection(context, type.ofType, sets, false)
  if (isListType(type)) return { kind: 'list', nullable, items: buildProjection(context, type.ofType, sets) }
  if (isObjectType(type) || isAbstractType(type)) {
    const { schema } = context.view
    const members = isObjectType(type) ? [type] : schema.getPossibleTypes(type)
    const possible = new Map<string, readonly ProjectedField[]>()
    context.countLargest(members, (member) => {
      const applies = (name: string): boolean => {
        const condition = schema.getType(name)
        return name === member.name || (isAbstractType(condition) && schema.isSubType(condition, member))
      }
      const build = () =>
        [...collectFields(context, sets, applies)].map(([key, nodes]): ProjectedField => {
          const node = nodes[0]!
          const name = node.name.value
          if (name === '__typename') return { key, name: null, projection: TYPE_NAME }
          if ((node.arguments ?? []).length > 0) throw noArguments(`${member.name}.${name}`, locate(node))
          const field = member.getFields()[name]
          if (field === undefined) throw new Error(`${member.name}.${name} passed validation but is not in the schema`)
          return { key, name, projection: buildProjection(context, field.type, subselections(nodes)) }
        })
      possible.set(member.name, context.nested(build))
    })
    return { kind: 'object', nullable, type: type.name, isAbstract: !isObjectType(type), possible }
  }
  const { name } = type
  const check = isEnumType(type) ? (value: unknown) => type.getValue(String(value)) != null : fits[name]
  return { kind: 'leaf', nullable, type: name, fits: check ?? (() => true) }
}

const TYPE_NAME: Projection = { kind: 'leaf', nullable: false, type: 'String', fits: () => true }

function noArguments(place: string, location: ReturnType<typeof locate>): SvcError {
  return new SvcError('GRAPHQL_VALIDATION_FAILED', `${place} takes no arguments inside of what a plugin answers.`, {
    locations: location === null ? undefined : [location],
  })
}

/** Thrown to the nearest nullable field. */
class NullBubble extends Error {}

/**
 * Selects the requested fields from the value that a plugin's root field returned, and checks the types.
 * @param path response path of the value
 * @param errors receives errors with their paths
 * @returns the value for the response; `undefined` for null in a non-null position
 */
export function project(
  value: unknown,
  projection: Projection,
  path: readonly (string | number)[],
  errors: SvcError[],
): unknown {
  try {
    return take(value, projection, path, errors)
  } catch (error) {
    if (error instanceof NullBubble) return undefined
    throw error
  }
}

function take(value: unknown, projection: Projection, path: readonly (string | number)[], errors: SvcError[]): unknown {
  try {
    return takeValue(value, projection, path, errors)
  } catch (error) {
    if (error instanceof NullBubble && projection.nullable) return null
    throw error
  }
}

function takeValue(
  value: unknown,
  projection: Projection,
  path: readonly (string | number)[],
  errors: SvcError[],
): unknown {
  const wrong = (what: string): NullBubble => {
    errors.push(new SvcError('INTERNAL_SERVER_ERROR', what, { path }))
    return new NullBubble()
  }
  if (value === null || value === undefined) {
    if (projection.nullable) return null
    throw wrong(`A plugin gave null at ${path.join('.')}, where null may not stand.`)
  }
  if (projection.kind === 'list') {
    if (!Array.isArray(value)) throw wrong(`A plugin gave no list at ${path.join('.')}.`)
    return value.map((item, index) => take(item, projection.items, [...path, index], errors))
  }
  if (projection.kind === 'leaf') {
    if (projection.fits(value)) return value
    throw wrong(`A plugin gave ${JSON.stringify(value)} at ${path.join('.')}, which is no ${projection.type}.`)
  }
  if (typeof value !== 'object') throw wrong(`A plugin gave no object at ${path.join('.')}.`)
  const object = value as Readonly<Record<string, unknown>>
  const typeName = projection.isAbstract ? String(object.__typename) : projection.type
  const fields = projection.possible.get(typeName)
  if (fields === undefined) {
    throw wrong(`A plugin gave an object of "${typeName}" at ${path.join('.')}, which is no ${projection.type}.`)
  }
  const entries = fields.map(({ key, name, projection: inner }) => [
    key,
    name === null ? typeName : take(object[name], inner, [...path, key], errors),
  ])
  return Object.fromEntries(entries)
}
