"""Samples of commands: with a secret at `@@`, and ordinary ones that must stay as they are."""

SECRET = "tr0ub4dor.3"

HIDDEN = r"""
mysql -u root -p@@ shop
mysql -uroot -p'@@' shop
mysqldump --host db -p@@ --all
mysqladmin -u root -p@@ ping
mariadb -p@@
curl -u ann:@@ https://h
curl -uann:@@ https://h
curl --user=ann:@@ https://h
curl --user 'ann:@@' https://h
curl --proxy-user ann:@@ https://h
curl -U ann:@@ https://h
curl -H "Authorization: Bearer @@" https://h
curl -H 'X-Api-Key: @@' https://h
curl -H "PRIVATE-TOKEN: @@" https://gitlab
curl -H "X-Auth-Token: @@"
curl -H "X-Vault-Token: @@"
curl --oauth2-bearer @@ https://h
curl --pass @@ https://h
curl -b "session=@@" https://h
curl -d "password=@@" https://h
curl -d '{"password": "@@"}' https://h
curl https://ann:@@@h/
wget --password=@@ https://h
wget --http-password @@ https://h
wget --ftp-password=@@
http -a ann:@@ https://h
http --auth ann:@@ h
sshpass -p @@ ssh ann@h
sshpass -p'@@' ssh ann@h
sshpass -p@@ ssh
SSHPASS=@@ sshpass -e ssh
docker login -u ann -p @@ r.io
docker login --username ann --password @@
podman login -u ann -p @@
helm registry login -u ann -p @@
az login --service-principal -u x -p @@ --tenant t
PGPASSWORD=@@ psql -h db
MYSQL_PWD=@@ mysql
REDISCLI_AUTH=@@ redis-cli
RESTIC_PASSWORD=@@ restic backup
BORG_PASSPHRASE=@@ borg create
VAULT_TOKEN=@@ vault read
redis-cli -a @@ ping
redis-cli -h db -a '@@' ping
redis-cli --pass @@ ping
htpasswd -b file ann @@
htpasswd -cb file ann @@
htpasswd -bBc file ann @@
htpasswd -nb ann @@
openssl rsa -passin pass:@@ -in k
openssl pkcs12 -passout pass:@@
openssl enc -k @@ -aes-256-cbc
openssl enc -pass pass:@@
ldapsearch -x -D cn=admin -w @@ -b dc=x
ldapmodify -w @@ -D x
ldappasswd -s @@ -a oldpassw0rd
mongo -u ann -p @@ db
mongosh "mongodb://ann:@@@h/db"
mongodump --password @@
smbclient //h/s -U ann%@@
mount -t cifs -o username=ann,password=@@ //h/s /mnt
net use x: \\h\s @@ /user:ann
lftp -u ann,@@ ftp://h
ncftpput -u ann -p @@ h
sqlcmd -S h -U sa -P @@
bcp t out f -U sa -P @@
sqlplus ann/@@@db
impdp ann/@@ directory=d
clickhouse-client --password @@
influx -username a -password @@
gpg --batch --passphrase @@ -d f
gpg --passphrase=@@ -d f
zip -P @@ a.zip f
zip -e --password @@ a.zip f
unzip -P @@ a.zip
7z x -p@@ a.7z
7za a -p@@ a.7z f
rar a -hp@@ a.rar f
pdftk a.pdf output b.pdf user_pw @@
qpdf --password=@@ a b
keytool -list -storepass @@ -keypass @@x
jarsigner -storepass @@ a.jar k
ssh-keygen -N @@ -f k
ssh-keygen -p -P @@ -N '' -f k
ansible-playbook -e ansible_become_pass=@@ p.yml
vault login @@
vault login token=@@
vault kv put secret/x password=@@
aws configure set aws_secret_access_key @@
heroku config:set DB_PASSWORD=@@
gh auth login --with-token @@
gh secret set TOKEN --body @@
kubectl create secret generic s --from-literal=password=@@
kubectl config set-credentials u --password=@@
kubectl --token=@@ get pods
oc login -u a -p @@
oc login --token=@@
npm config set //r/:_authToken @@
twine upload -u ann -p @@ dist/*
flit publish --password @@
pip install --index-url https://ann:@@@pypi/ x
poetry config pypi-token.pypi @@
poetry config http-basic.foo ann @@
git clone https://ann:@@@github.com/x
svn co --username ann --password @@ url
echo @@ | sudo -S ls
echo 'ann:@@' | chpasswd
chpasswd <<< "ann:@@"
usermod -p @@ ann
useradd -p @@ ann
net user ann @@ /add
rabbitmqctl add_user ann @@
rabbitmqctl change_password ann @@
psql "host=db user=ann password=@@"
psql -c "ALTER USER ann WITH PASSWORD '@@'"
mysql -e "CREATE USER ann IDENTIFIED BY '@@'"
mysql -e "SET PASSWORD = '@@'"
snmpget -v3 -u a -A @@ -X @@2 h
snmpwalk -c @@ -v2c h
ipmitool -H h -U a -P @@ power
xfreerdp /u:ann /p:@@ /v:h
rdesktop -u ann -p @@ h
vncpasswd -f <<< @@
nmcli dev wifi connect s password @@
wpa_passphrase ssid @@
iwconfig wlan0 key s:@@
cryptsetup luksOpen --key-file - <<< @@
rclone config create r sftp pass @@
mosquitto_pub -u a -P @@ -t x
kinit ann <<< @@
ab -A ann:@@ http://h/
hydra -l a -p @@ ssh://h
crackmapexec smb h -u a -p '@@'
wscat -H "Authorization: Bearer @@"
grpcurl -H 'authorization: @@' h
token: @@
X-Amz-Security-Token: @@
cargo login @@
doppler secrets set X=@@ --token @@x
sentry-cli --auth-token @@ x
stripe login --api-key @@
terraform apply -var 'db_password=@@'
terraform apply -var="token=@@"
docker run -e DB_PASSWORD=@@ x
docker run -e POSTGRES_PASSWORD=@@ x
docker build --build-arg NPM_TOKEN=@@ .
['mysql', '-u', 'root', '-p@@']
["sshpass", "-p", "@@", "ssh"]
["redis-cli", "-a", "@@"]
subprocess.run(["curl", "-u", "ann:@@", "https://h"])
{"password": "@@"}
Config(token='@@')
api_key: str = "@@"
""".strip().splitlines()

ORDINARY = r"""
mkdir -p build
mkdir -p build/lib && cp -a src build
cp -a x y
cp -p source target
ssh -p 2222 ann@host
scp -P 2222 file host:/tmp
docker run -p 8080:80 nginx
docker run -u 1000:1000 image
docker run --user node:staff image
docker run --user=app:app1 image
chown -R ann:staff3 build
docker compose -p project up
docker login -u ann --password-stdin r.io
docker login r.io
mysql -u root -p shop
mysql -P 3306 -h db shop
mysqldump --port 3306 -p shop > out.sql
mysql -u root shop; mkdir -p build1
mysql -u root shop && patch -p1 < fix
redis-cli -p 6379 -n 2 ping
redis-cli -h cache && ls -a folder1
zip -r a.zip folder
unzip -p a.zip member.txt
unzip -q a.zip -d folder
7z x -o/tmp a.7z
tar -xpf archive.tar
patch -p1 -i fix.patch
grep -w word file
ls -a /tmp
git commit -a -m message
git log -p --stat
make -p
nc -w 5 host 80
pytest -p no:cacheprovider -k token
python -u script.py
pip install -e .
openssl rsa -passin env:KEY_PASS -in k
openssl rsa -passin file:pw.txt -in k
openssl x509 -in cert.pem -noout -text
openssl enc -d -a -in f
htpasswd -c file ann
htpasswd -D file ann
sshpass -f pw.txt ssh ann@host
sshpass -e ssh ann@host
usage: sshpass [-f|-d|-p|-e] [-hV] command parameters
curl -u ann https://host
curl -sSL -o out https://host:8443/a:b
curl -A Mozilla/5.0 https://host
curl -H "Accept: application/json" https://host
curl -b cookies.txt https://host
curl -X POST -d name=value https://host
ldapsearch -x -W -b dc=x
ldapsearch -h host -s sub -b dc=x
psql -h db -U ann -d shop
kubectl get pods -n prod -w
kubectl create secret generic s --from-file=key.pem
rsync -a --password-file=pw.txt x y
ssh-keygen -t ed25519 -f key -C ann@host
ssh-keygen -t ed25519 -N '' -f key
ssh-keygen -lf key.pub -P
vault login -method=userpass
vault login
cargo login
git config set user.email ann@host
git config user.signingkey ~/.ssh/id_ed25519
git config --global credential.helper cache
poetry config virtualenvs.in-project true
npm config set registry https://registry.npmjs.org/
aws configure set region eu-west-1
gh secret list
gh secret set TOKEN < file
gh pr create -b body-of-the-pr
echo hello | sudo tee file
echo ready | grep -c ready
printf '%s\n' items | sort
echo "Welcome $(whoami)"
mysql -u root -p$PASSWORD shop
mysql -p"${DB_PASSWORD}"
sshpass -p "$PW" ssh host
docker login -u ann -p PASSWORD
docker login -p <password>
curl -u "$USER:$TOKEN" https://host
redis-cli -a $REDIS_AUTH ping
redis-cli -a [redacted: password] ping
snmpwalk -c public -v2c host
hydra -L users.txt -P words.txt ssh://host
twine upload dist/x-1.0.tar.gz
the option -p of docker login is insecure
the zip of two lists -P is
mongo --port 27017 --host db
smbclient -L host -U ann
keytool -list -keystore store.jks
api_key: str = ""
token: str | None = None
password: str = Field(default="")
max_tokens: int = 4096
def f(password: str = "", token: str = None) -> None:
secret_key: str = os.environ["KEY"]
useradd -m -s /bin/bash ann
usermod -aG docker ann
chpasswd < users.txt
cryptsetup luksOpen /dev/sda1 data
rclone config create remote sftp host h
the table is identified by its name
rows are identified by 'id' columns
net use x: /delete
AUTH=1 pytest
USE_AUTH=true pytest
sudo -S ls
--pass-through 10
--no-password
--password-stdin
iptables -A INPUT -p tcp --dport 22
tcpdump -i eth0 -A port 80
ab -n 100 -c 10 http://host:8080/path
http --verify=no GET host:8080/a
http GET https://host/a -A basic
""".strip().splitlines()
