/** The `tap` of a file in a group; the loader names the file after the `?`. */
import { FILES } from './files.js'

export default FILES.get(decodeURIComponent(new URL(import.meta.url).search.slice(1)))
