import { defineCompilePart } from '../../core/doors/command.ts'
import type { RestOptions } from './options.ts'
import { deriveRoutes } from './routes/derive-routes.ts'

/** Routes that meet, and names that lead nowhere, are faults of the compile, before anything is served. */
export default defineCompilePart<RestOptions>({
  check(model, { schema, options, fault }) {
    if (!options.enabled) return
    const elements = [...(schema.queries ?? []), ...(schema.mutations ?? [])]
    for (const { message, operation } of deriveRoutes(model, options).faults) {
      fault('route', message, operation === null ? undefined : elements.find(({ name }) => name === operation))
    }
  },
})
