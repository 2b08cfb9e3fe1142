// The same on a second Node, in one run with the first: BENCH_SVC_NODE_NEWEST names it.
import { svcTarget } from './lib/svc-target.mjs'

export default svcTarget(process.env.BENCH_SVC_NODE_NEWEST ?? process.execPath)
