import type { EntityShape, ObservedChange } from '../../../core/doors/front.ts'

/** A change without a row, to try templates with. */
export function sampleChange(shape: EntityShape): ObservedChange {
  const event = {
    id: '00000000-0000-0000-0000-000000000000',
    kind: 'CUSTOM',
    mutation: null,
    entityType: shape.name,
    entityId: null,
    entity: null,
    before: null,
    updatedFields: null,
    user: null,
    tenant: null,
    time: '1970-01-01T00:00:00.000Z',
    position: '0',
  } as const
  return { event, shape, row: {}, now: null, old: null, changed: new Set() }
}
