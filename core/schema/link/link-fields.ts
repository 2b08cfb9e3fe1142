import type { CompiledField, CompiledInput, CompiledRead } from '../compiled.ts'
import type { FieldModel, InputFieldModel, ObjectType } from '../model.ts'
import type { Rule } from '../rules.ts'
import { isListRef } from '../type-ref.ts'
import type { LinkContext } from './link-context.ts'

/** Shared empty list for elements without rules. */
export const NO_RULES: readonly Rule[] = Object.freeze([])
const NO_ROLES: readonly string[] = Object.freeze([])

/** Converts `requires_role` of types, fields and operations to a list. One of the roles is sufficient. */
export function linkRoles(role: string | readonly string[] | undefined): readonly string[] {
  if (role === undefined) return NO_ROLES
  return typeof role === 'string' ? [role] : role
}

const CLAIM_PREFIX = 'jwt:'

/** Converts `inject` of types and operations: `{ owner_id: 'jwt:sub' }`. */
export function linkInject(inject: Readonly<Record<string, string>> = {}): ObjectType['inject'] {
  return Object.freeze(
    Object.entries(inject).map(([parameter, source]) => ({ parameter, claim: source.slice(CLAIM_PREFIX.length) })),
  )
}

/** Links fields. The keys of the map are wire names. */
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
    sql: field.sql,
  })
}

/** Tests whether the field is a relation to rows of another database. */
export function isAcross(read: CompiledRead | null): boolean {
  return read?.from === 'relation' && read.across === true
}

/** Links a field of an input, or an argument of an operation. */
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
