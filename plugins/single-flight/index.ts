import { valueKey } from '../../core/doors/front.ts'
import { definePlugin, isPromise, type OperationTemplate } from '../../core/doors/plugin.ts'
import { type Flights, share } from './flights.ts'
import manifest from './manifest.ts'

/** Identical reads of one caller that are in flight at the same time are executed once. Writes never are. */
export default definePlugin(manifest, (scope) => {
  // The same document gives the same template; a plan and its flights go when the document leaves its cache.
  const byTemplate = new WeakMap<OperationTemplate, Flights>()
  let writes = 0

  scope.on(
    'resolve',
    (ctx, operation, next) => {
      const { template, variables } = operation
      if (template.kind === 'mutation') {
        const result = next()
        const ended = () => void writes++
        // Before anybody hears that it is written. A failure may have written, too.
        if (isPromise(result)) result.then(ended, ended)
        else ended()
        return result
      }
      // A stream is read once. What a plugin answers may depend on all of its exchange, such as headers.
      const { form, told } = operation
      if (template.kind !== 'query' || form !== undefined || told !== undefined || template.hasCalls === true)
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
