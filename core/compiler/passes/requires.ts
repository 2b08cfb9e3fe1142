import type { AuthoredSchema } from '../../schema/authored.ts'
import type { FederatedField, FederatedObject, FederatedType } from '../../schema/authored-federation.ts'
import { planeOf } from './plane-of.ts'

const FEDERATED_TYPE = [
  'key_fields',
  'keys',
  'resolvable',
  'inaccessible',
  'tags',
] as const satisfies (keyof FederatedType)[]
const FEDERATED_OBJECT = [
  ...FEDERATED_TYPE,
  'extends',
  'shareable',
  'interface_object',
  'directives',
] as const satisfies (keyof FederatedObject)[]
const FEDERATED_FIELD = [
  'external',
  'shareable',
  'inaccessible',
  'tags',
  'override',
  'override_label',
  'provides',
  'requires',
  'sql',
] as const satisfies (keyof FederatedField)[]

/**
 * Returns the names of the plugins that the schema needs. The service does not start when one of them is missing, since
 * it would ignore access rules of the schema. Options that are harmless without their plugin (a REST path, a cache
 * lifetime) need none.
 */
export function requiredPlugins(schema: AuthoredSchema): readonly string[] {
  const plugins = new Set<string>()
  const need = (plugin: string, wanted: boolean): void => {
    if (wanted) plugins.add(plugin)
  }
  for (const type of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of type.fields) {
      need('scopes', field.requires_scope !== undefined || field.requires_role !== undefined)
      need('policies', field.authorize !== undefined)
      need(
        'federation',
        FEDERATED_FIELD.some((key) => field[key] !== undefined),
      )
    }
  }
  for (const type of schema.interfaces ?? []) {
    need(
      'federation',
      FEDERATED_TYPE.some((key) => type[key] !== undefined),
    )
  }
  for (const type of schema.types ?? []) {
    need('scopes', type.requires_role !== undefined)
    need('jwt', Object.keys(type.inject ?? {}).length > 0)
    need('arrow', planeOf(type) === 'arrow')
    need(
      'federation',
      FEDERATED_OBJECT.some((key) => type[key] !== undefined),
    )
  }
  for (const operation of [...(schema.queries ?? []), ...(schema.mutations ?? []), ...(schema.subscriptions ?? [])]) {
    need('scopes', operation.requires_scope !== undefined || operation.requires_role !== undefined)
    need('policies', operation.requires_policy !== undefined)
    // `api-keys` verifies keys, and `scopes` refuses requests without one.
    need('api-keys', operation.api_key_required === true)
    need('scopes', operation.api_key_required === true)
    need('jwt', Object.keys(operation.inject ?? {}).length > 0)
  }
  for (const query of schema.queries ?? []) {
    need('arrow', planeOf(query) === 'arrow')
  }
  need('subscriptions', (schema.subscriptions ?? []).length > 0)
  need('observers', (schema.observers ?? []).length > 0)
  return [...plugins].sort()
}
