// Modules of the benchmark kit, which has the packages of the peers: `KIT` is its folder.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(process.env.KIT, 'package.json'))
export const kitModule = (name) => import(pathToFileURL(require.resolve(name)).href)
