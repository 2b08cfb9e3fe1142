import { defineCompilePart } from '../../core/doors/command.ts'
import type { RestOptions } from './options.ts'
import { deriveRoutes } from './routes/derive-routes.ts'

/** Reports conflicting routes and unknown names in `include` and `exclude` at compile time. */
export default defineCompilePart<RestOptions>({
  check(model, { schema, options, fault }) {
    if (!options.enabled) return
    const elements = [...(schema.queries ?? []), ...(schema.mutations ?? [])]
    for (const { message, operation } of deriveRoutes(model, options).faults) {
      fault('route', message, operation === null ? undefined : elements.find(({ name }) => name === operation))
    }
  },
})
