import { defineCompilePart } from '../../core/doors/command.ts'
import type { RestOptions } from './options.ts'
import { deriveRoutes } from './routes/derive-routes.ts'

/** Compile part of the rest plugin: reports conflicting routes, and unknown names in `include` and `exclude`. */
export default defineCompilePart<RestOptions>({
  check(model, { schema, options, fault }) {
    if (!options.enabled) return
    const elements = [...(schema.queries ?? []), ...(schema.mutations ?? [])]
    for (const { message, operation } of deriveRoutes(model, options).faults) {
      fault('route', message, operation === null ? undefined : elements.find(({ name }) => name === operation))
    }
  },
})
