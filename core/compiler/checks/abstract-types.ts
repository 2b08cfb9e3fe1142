import { toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredInterface, AuthoredType } from '../../schema/authored.ts'
import { parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { aKind, type TypeIndex } from '../ground/type-index.ts'

/**
 * Checks that each type has all fields of the interfaces that it implements, with fitting types, and that the members
 * of unions are object types.
 */
export function checkAbstractTypes(context: CompileContext): void {
  const { schema, index, report } = context
  for (const type of schema.types ?? []) {
    for (const name of type.implements ?? []) {
      const named = index.get(name)
      if (named?.kind === 'interface') {
        checkInterface(context, type, named.element)
        continue
      }
      // `Node` is generated. A relay type may name it.
      if (name === 'Node' && named === undefined && type.relay === true) continue
      const interfaces = (schema.interfaces ?? []).map((element) => element.name)
      const what = named === undefined ? `there is no interface "${name}"` : `"${name}" is no interface`
      const hint = didYouMean(name, interfaces)
      const known = interfaces.length === 0 ? '' : ` Interfaces: ${listNames(interfaces)}.`
      report.fault('unknown-interface', `Type "${type.name}" implements: ${what}.${hint === '' ? known : hint}`, type)
    }
  }
  for (const union of schema.unions ?? []) {
    const seen = new Set<string>()
    for (const member of union.members) {
      const named = index.get(member)
      const types = (schema.types ?? []).map((type) => type.name)
      if (named === undefined) {
        report.fault(
          'union-member',
          `Union "${union.name}": there is no type "${member}".${didYouMean(member, types)}`,
          union,
        )
      } else if (named.kind !== 'object') {
        report.fault(
          'union-member',
          `Union "${union.name}": ${member} is ${aKind(named)}; members are object types.`,
          union,
        )
      } else if (seen.has(member)) {
        report.fault('union-member', `Union "${union.name}" has the member ${member} twice.`, union)
      }
      seen.add(member)
    }
  }
}

function checkInterface(context: CompileContext, type: AuthoredType, element: AuthoredInterface): void {
  const { report, index } = context
  for (const wanted of element.fields) {
    const own = type.fields.find((field) => toWireName(field.name) === toWireName(wanted.name))
    if (own === undefined) {
      report.fault(
        'interface-field',
        `Type "${type.name}" lacks the field "${wanted.name}: ${wanted.type}" of its interface ${element.name}.`,
        type,
      )
    } else if (!isNarrower(index, own, wanted)) {
      report.fault(
        'interface-field',
        `${type.name}.${own.name} is ${own.type}; its interface ${element.name} says ${wanted.type}.`,
        own,
        type,
      )
    }
  }
}

function isNarrower(index: TypeIndex, own: AuthoredField, wanted: AuthoredField): boolean {
  const a = parseTypeRef(own.type)
  const b = parseTypeRef(wanted.type)
  return a === null || b === null || isSubtype(index, a, b)
}

/** Tests covariance as GraphQL defines it: non-null for nullable, a member for its interface or union. */
function isSubtype(index: TypeIndex, own: TypeRef, wanted: TypeRef): boolean {
  if (own.nullable && !wanted.nullable) return false
  if (own.kind === 'list' || wanted.kind === 'list') {
    return own.kind === 'list' && wanted.kind === 'list' && isSubtype(index, own.of, wanted.of)
  }
  if (own.name === wanted.name) return true
  const general = index.get(wanted.name)
  const special = index.get(own.name)
  if (special?.kind !== 'object') return false
  if (general?.kind === 'union') return general.element.members.includes(own.name)
  return general?.kind === 'interface' && special.element.implements?.includes(wanted.name) === true
}
