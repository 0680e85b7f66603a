import MediaToken
