-- The fields of an input reach parameters of the same name. All statements are one transaction.
-- :name text
-- :track_ids json = NULL

SELECT svc_raise('PLAYLIST_NAME_EMPTY', 'A playlist needs a name') WHERE trim(:name) = '';
SELECT svc_raise('CONFLICT', 'There is a playlist "' || name || '" already') FROM playlist WHERE name = trim(:name);

INSERT INTO playlist (name) VALUES (trim(:name));
INSERT INTO playlist_track (playlist_id, track_id)
SELECT DISTINCT playlist_id, value FROM playlist, json_each(:track_ids) WHERE name = trim(:name);

-- The entity is read by its id.
SELECT 'created' AS status, 'Playlist created' AS message, playlist_id AS entity_id, 'Playlist' AS entity_type
FROM playlist WHERE name = trim(:name);
