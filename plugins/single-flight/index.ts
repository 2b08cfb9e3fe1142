import { valueKey } from '../../core/doors/front.ts'
import { definePlugin, isPromise, type OperationTemplate } from '../../core/doors/plugin.ts'
import { type Flights, share } from './flights.ts'
import manifest from './manifest.ts'

/** The plugin that runs identical concurrent reads of a caller only once. Writes are always run. */
export default definePlugin(manifest, (scope) => {
  // Requests of a cached document share its template. The entry is removed with the document.
  const byTemplate = new WeakMap<OperationTemplate, Flights>()
  let writes = 0

  scope.on(
    'resolve',
    (ctx, operation, next) => {
      const { template, variables } = operation
      if (template.kind === 'mutation') {
        const result = next()
        const ended = () => void writes++
        // Runs before the reply to the write is sent. A failed write may have changed data too.
        if (isPromise(result)) result.then(ended, ended)
        else ended()
        return result
      }
      // A stream can be read only once. The result of a root of a plugin can depend on its whole exchange, such as headers.
      const { form, changed } = operation
      if (template.kind !== 'query' || form !== undefined || changed !== undefined || template.hasCalls === true)
        return next()
      const access = operation.access?.key ?? ''
      const key = valueKey(
        access === '' ? [variables, ctx.auth, ctx.context] : [variables, ctx.auth, ctx.context, access],
      )
      if (key === null) return next()
      let flights = byTemplate.get(template)
      if (flights === undefined) {
        flights = new Map()
        byTemplate.set(template, flights)
      }
      return share(flights, key, ctx, () => writes, next)
    },
    { position: 'share' },
  )
})
