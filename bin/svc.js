#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// Memory stands at what the caches' bounds say, not at several times of it.
// What the first documents and plans do (they are kept) is not what the later ones do: made among the old objects from then
// on, those would wait for a full collection.
setFlagsFromString('--no-allocation-site-pretenuring')
// And that comes when the old objects have grown by two fifths since the last one, not when they are four times as many.
setFlagsFromString('--heap-growing-percent=40')
// What this asks of an embedded database is over long before faster code for it would pay: V8 makes none, which takes half
// the time and 90 MB less.
if (process.argv[2] === 'compile') setFlagsFromString('--liftoff-only')

// A checkout runs from its sources, a published package from its build. SVC_DIST=1 runs the build of a checkout.
const source = new URL('../core/cli/main.ts', import.meta.url)
const isSource = !process.env.SVC_DIST && existsSync(source)

if (isSource) {
  // No tsconfig.json of the folder that svc is called in may change how our own sources are read.
  const { register } = await import('tsx/esm/api')
  register({ tsconfig: false })
}
const { main } = await import(isSource ? source.href : new URL('../dist/core/cli/main.js', import.meta.url).href)
process.exitCode = await main(process.argv.slice(2))
// Whatever a command left behind, a connection that does not close for one, does not keep the process.
setTimeout(() => process.exit(), 1000).unref()
