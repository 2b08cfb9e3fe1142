import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type {
  AuthoredArgument,
  AuthoredInput,
  AuthoredInputField,
  AuthoredMutation,
  AuthoredQuery,
  AuthoredSubscription,
} from '../../schema/authored.ts'
import type { ConditionField } from '../../schema/checks/condition-scope.ts'
import type { FieldName } from '../../schema/rules.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import type { NamedElement } from '../ground/type-index.ts'

/** An input or operation of the schema that can have validation rules, with its fields or arguments. */
export interface RuleOwner {
  /** Declared name: `CreateUser`, `createUser`. */
  readonly name: string
  readonly element: AuthoredInput | Operation
  readonly isInput: boolean
  /** Fields of the input, or arguments of the operation, by declared name. */
  readonly fields: ReadonlyMap<string, RuleField>
}

type Operation = AuthoredMutation | AuthoredQuery | AuthoredSubscription

export interface RuleField extends ConditionField {
  readonly element: AuthoredInputField | AuthoredArgument
  /** GraphQL type of the field without its last `!`, for messages. */
  readonly typeName: string
  readonly kind: FieldKind
  readonly named: NamedElement | undefined
}

/**
 * Kind of a field's values, which determines the validation rules that apply to it. `unknown`: its type does not exist,
 * which another check reports.
 */
export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'json' | 'enum' | 'input' | 'unknown'

/**
 * Returns all elements of the schema that can have validation rules: inputs, then mutations, queries and subscriptions.
 */
export function ruleOwners({ schema, index }: CompileContext): readonly RuleOwner[] {
  const fieldsOf = (fields: readonly (AuthoredInputField | AuthoredArgument)[]) =>
    new Map(fields.map((field) => [field.name, describe(field, index)]))
  const inputs = (schema.input_types ?? []).map((element) => ({
    name: element.name,
    element,
    isInput: true,
    fields: fieldsOf(element.fields),
  }))
  const operations = [...(schema.mutations ?? []), ...(schema.queries ?? []), ...(schema.subscriptions ?? [])].map(
    (element) => ({
      name: element.name,
      element,
      isInput: false,
      fields: fieldsOf(element.arguments ?? []),
    }),
  )
  return [...inputs, ...operations]
}

function describe(element: AuthoredInputField | AuthoredArgument, index: CompileContext['index']): RuleField {
  const ref = parseTypeRef(element.type)
  const named = ref === null ? undefined : index.get(namedTypeOf(ref).name)
  return {
    name: element.name,
    wireName: toWireName(element.name),
    element,
    isList: ref !== null && isListRef(ref),
    typeName: element.type.replace(/!$/, ''),
    kind: kindOf(named),
    named,
    isNumberText: isNumberText(named),
    members: membersOf(named, index),
  }
}

/** Members of a value for expressions. A custom scalar may parse to any value, so that all names are allowed. */
function membersOf(named: NamedElement | undefined, index: CompileContext['index']): ConditionField['members'] {
  if (named?.kind === 'input') return () => named.element.fields.map((field) => describe(field, index))
  const isOpen = kindOf(named) === 'unknown' || kindOf(named) === 'json'
  return isOpen || (named?.kind === 'scalar' && named.element !== null) ? 'any' : 'none'
}

/** Tests whether a type is a number that JSON transports as text: Decimal or BigInt. */
export function isNumberText(named: NamedElement | undefined): boolean {
  return named?.kind === 'scalar' && named.base.group === 'number' && named.base.wire === 'string'
}

export function kindOf(named: NamedElement | undefined): FieldKind {
  if (named?.kind === 'enum' || named?.kind === 'input') return named.kind
  if (named?.kind !== 'scalar') return 'unknown'
  switch (named.base.group) {
    case 'number':
    case 'boolean':
    case 'json':
      return named.base.group
    case 'vector':
      return named.base.wire === 'json' ? 'json' : 'text'
    case 'date':
    case 'datetime':
    case 'time':
      return 'date'
    default:
      return 'text'
  }
}

/** Finds a field or argument by its declared name, or by that name in snake_case or camelCase. */
export function findField({ fields }: RuleOwner, written: string): RuleField | undefined {
  return fields.get(written) ?? [...fields.values()].find(({ name }) => spellings(name).includes(written))
}

function spellings(name: string): readonly string[] {
  return [toSnakeCase(name), toWireName(name)]
}

/**
 * Finds the field that a rule names, in any spelling of the name.
 * @returns `null`: there is none, which is reported to `fault`
 */
export function fieldName(owner: RuleOwner, written: unknown, fault: (what: string) => void): FieldName | null {
  if (typeof written !== 'string') {
    fault('names a field by something that is no text.')
    return null
  }
  const found = findField(owner, written)
  if (found !== undefined) return { written, wire: toWireName(found.name) }
  const names = [...owner.fields.keys()]
  const hint = didYouMean(written, names) || ` It has: ${listNames(names)}.`
  fault(`${owner.name} has no ${owner.isInput ? 'field' : 'argument'} "${written}".${hint}`)
  return null
}
