import type { CompiledField, CompiledInput, CompiledRead } from '../compiled.ts'
import type { FieldModel, InputFieldModel, ObjectType } from '../model.ts'
import type { Rule } from '../rules.ts'
import { isListRef } from '../type-ref.ts'
import type { LinkContext } from './link-context.ts'

/** Frozen empty list, shared by all elements without validation rules to save memory. */
export const NO_RULES: readonly Rule[] = Object.freeze([])
const NO_ROLES: readonly string[] = Object.freeze([])

/** Converts the option `requires_role` to a list, of which a caller needs one role. Empty: no role is required. */
export function linkRoles(role: string | readonly string[] | undefined): readonly string[] {
  if (role === undefined) return NO_ROLES
  return typeof role === 'string' ? [role] : role
}

const CLAIM_PREFIX = 'jwt:'

/**
 * Converts the option `inject` (`{ owner_id: 'jwt:sub' }`) to pairs of parameter and claim, without the prefix `jwt:`.
 */
export function linkInject(inject: Readonly<Record<string, string>> = {}): ObjectType['inject'] {
  return Object.freeze(
    Object.entries(inject).map(([parameter, source]) => ({ parameter, claim: source.slice(CLAIM_PREFIX.length) })),
  )
}

/**
 * Converts the fields of a compiled type, and resolves the names of their types.
 * @returns fields by their name in the API
 */
export function linkFields(context: LinkContext, fields: readonly CompiledField[]): ReadonlyMap<string, FieldModel> {
  const linked = new Map<string, FieldModel>()
  for (const field of fields) linked.set(field.wire_name, linkField(context, field))
  return linked
}

function linkField(context: LinkContext, field: CompiledField): FieldModel {
  const type = context.ref(field.type)
  return Object.freeze({
    name: field.name,
    wireName: field.wire_name,
    type,
    named: context.named(type),
    list: isListRef(type),
    description: field.description,
    deprecated: field.deprecated,
    requiresScope: field.requires_scope,
    requiresRole: linkRoles(field.requires_role),
    onDeny: field.on_deny ?? 'mask',
    // A database cannot filter by rows of another database.
    filterable: isAcross(field.read) ? false : (field.filterable ?? true),
    orderable: field.orderable ?? true,
    searchable: field.searchable ?? false,
    filterOperators: field.filter_operators ?? null,
    hierarchy: field.hierarchy === undefined ? null : context.hierarchy(field.hierarchy),
    dimensions: field.vector_config?.dimensions ?? null,
    place: field.place ?? null,
    filterType: field.filter_type,
    lackingOperators: context.lackingOperators,
    authorize: field.authorize,
    read: field.read,
    ...guardsOf(field.read),
    sql: field.sql,
  })
}

function guardsOf(read: CompiledRead | null): Pick<FieldModel, 'guards'> {
  const guards = read?.from === 'relation' ? read.through?.guards : undefined
  return guards === undefined ? {} : { guards }
}

/** Tests whether a field is read from rows of another database. */
export function isAcross(read: CompiledRead | null): boolean {
  return read?.from === 'relation' && read.across === true
}

/** Converts a field of a compiled input type, or an argument of an operation, and resolves the name of its type. */
export function linkInputField(context: LinkContext, field: CompiledInput['fields'][number]): InputFieldModel {
  const type = context.ref(field.type)
  return {
    name: field.name,
    wireName: field.wire_name,
    type,
    named: context.named(type),
    description: field.description,
    deprecated: field.deprecated,
    default: field.default,
    rules: field.rules ?? NO_RULES,
  }
}
