import { didYouMean } from '../../base/util/nearest.ts'
import type { CompileContext } from '../ground/context.ts'

const CHANGES = ['INSERT', 'UPDATE', 'DELETE']

/** Checks that the types whose changes subscriptions send and observers observe exist. */
export function checkEntities(context: CompileContext): void {
  const { schema, report } = context
  const types = (schema.types ?? []).map((type) => type.name)
  const mutations = (schema.mutations ?? []).map((mutation) => mutation.name)
  for (const subscription of schema.subscriptions ?? []) {
    const { entity_type: entity, name } = subscription
    if (entity === undefined || types.includes(entity)) continue
    report.fault(
      'unknown-entity',
      `Subscription "${name}": entity_type "${entity}" is no type.${didYouMean(entity, types)}`,
      subscription,
    )
  }
  for (const observer of schema.observers ?? []) {
    const { entity, event, name } = observer
    if (!types.includes(entity)) {
      report.fault(
        'unknown-entity',
        `Observer "${name}": entity "${entity}" is no type.${didYouMean(entity, types)}`,
        observer,
      )
    }
    if (!CHANGES.includes(event) && !mutations.includes(event)) {
      const hint = didYouMean(event, [...CHANGES, ...mutations])
      report.fault(
        'unknown-entity',
        `Observer "${name}": event "${event}" is neither ${CHANGES.join(', ')} nor a mutation.${hint}`,
        observer,
      )
    }
  }
}
